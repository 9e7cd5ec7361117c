// The style sheet of a gallery: large type for a lecture hall, dark on light, fit to be printed.
#include "html.hpp"

namespace libration::html {

std::string_view style_sheet() {
    return R"(/* No fonts, scripts or pictures from elsewhere: the pages work from the disk. */
:root { --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --paper: #ffffff; --shade: #f5f7fa; --link: #0b57a4; }
* { box-sizing: border-box; }
html { font-size: 125%; }
body { margin: 0 auto; padding: 1rem 1.5rem 2rem; max-width: 72rem; color: var(--ink); background: var(--paper);
       font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", Arial, sans-serif;
       line-height: 1.5; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.2rem 0 .4rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 2.2rem 0 .6rem; padding-top: .4rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0 0 .2rem; }
p { margin: .5rem 0; max-width: 48rem; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em; }
sup { line-height: 0; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .86em; }
code { background: var(--shade); padding: .05em .3em; border-radius: .25em; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .9rem; margin: .4rem 0;
      overflow-x: auto; line-height: 1.4; }
pre code { background: none; padding: 0; }
nav { color: var(--soft); font-size: .85rem; }
nav.steps { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2.5rem; border-top: 2px solid var(--line);
            padding-top: .6rem; }
.place { color: var(--soft); margin: 0 0 .8rem; }
.verdict { display: inline-block; white-space: nowrap; font-weight: 600; font-size: .85em; padding: .1em .6em;
           border-radius: 1em; border: 1.5px solid currentColor; }
.reproduced { color: #17692c; background: #eaf6ec; }
.corrected { color: #0b4f9e; background: #e8f1fb; }
.statistical { color: #7a4a00; background: #fdf3e0; }
.not-reproduced { color: #55407a; background: #f1edf8; }
.failed { color: #ffffff; background: #b3151b; border-color: #b3151b; }
.waiting { color: #55606e; background: #f0f2f5; border-style: dashed; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem 1rem; list-style: none; padding: 0; margin: .8rem 0; }
.counts b { font-size: 1.2em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--ink); white-space: nowrap; }
td.number { white-space: nowrap; }
table.data { width: auto; }
tr.group th { padding-top: .9rem; border-bottom: 0; }
tr.row td:first-child { padding-left: 1.2rem; color: var(--soft); }
tr.why td { color: var(--soft); font-size: .92em; padding-top: 0; }
tr.has-why td, tr.row.last td { border-bottom: 0; }
tr.paper th { padding-top: 1.4rem; font-size: 1.05rem; border-bottom: 1px solid var(--ink); }
.compared { display: block; color: var(--soft); font-size: .92em; }
.tag { color: var(--soft); font-size: .8em; }
span.tag { white-space: nowrap; }
.bad { color: #b3151b; font-weight: 700; }
.good { color: #17692c; font-weight: 700; }
math { font-size: 1.08em; }
.vector { font-weight: bold; font-style: normal; }
mtable.equations mtd { text-align: left; padding: .35em 0; }
mtable.equations > mtr > mtd:first-child { text-align: right; }
mtable.cases mtd { text-align: left; }
.equations-box { overflow-x: auto; margin: .6rem 0; padding-bottom: .3rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1.2rem;
           align-items: start; margin: 1rem 0; }
.figures.single { grid-template-columns: minmax(0, 52rem); }
figure { margin: 0; }
figure img { width: 100%; height: auto; display: block; border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
figcaption { color: var(--soft); font-size: .85rem; margin-top: .3rem; }
.remark { border-left: .35rem solid currentColor; border-radius: .3rem; padding: .5rem 1rem; margin: 1rem 0; max-width: 52rem; }
.remark h2 { border: 0; margin: 0; padding: 0; font-size: 1.05rem; }
.remark p, .remark code { color: var(--ink); }
.remark.failed, .remark.failed p { color: #b3151b; background: #fdecec; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1.2rem; margin: 1rem 0; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem 1rem; display: flex; flex-direction: column;
        gap: .3rem; break-inside: avoid; }
.card img { width: 100%; height: 12rem; object-fit: contain; display: block; background: #fff; }
.card p { margin: 0; font-size: .85rem; }
.card .verdict { align-self: flex-start; margin-top: auto; }
.card a { text-decoration: none; }
.papers { padding-left: 0; list-style: none; }
.papers li { margin: .7rem 0; }
.papers .authors { display: block; color: var(--soft); font-size: .88rem; }
details { margin: .8rem 0; }
summary { cursor: pointer; }
footer { margin-top: 2rem; color: var(--soft); font-size: .8rem; }
@media (max-width: 50rem) { html { font-size: 106%; } body { padding: .8rem 1rem; } }
@media (max-width: 40rem) {
  table.summary thead { display: none; }
  table.summary td:nth-child(3)::before { content: "Printed: "; } table.summary td:nth-child(4)::before { content: "Measured: "; }
  table.summary td { display: block; border-bottom: 0; padding: .1rem 0; }
  table.summary tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  span.tag, td.number { white-space: normal; }
  table.checks, table.checks tbody { display: block; } table.checks thead, table.checks td:empty { display: none; }
  table.checks tr { display: flex; flex-wrap: wrap; gap: 0 1rem; border-bottom: 1px solid var(--line); padding: .3rem 0; }
  table.checks tr.has-why, table.checks tr.row.last { border-bottom: 0; }
  table.checks td, table.checks th { border-bottom: 0; padding: .05rem 0; }
  table.checks td:first-child, table.checks th { flex-basis: 100%; }
  table.checks td[data-column]::before { content: attr(data-column) ": "; color: var(--soft); font-weight: 400; }
}
@media print {
  html { font-size: 80%; } body { max-width: none; padding: 0; } a { color: inherit; text-decoration: none; }
  nav, details { display: none; } figure, tr, pre { break-inside: avoid; }
  .verdict, .remark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";
}

}  // namespace libration::html
