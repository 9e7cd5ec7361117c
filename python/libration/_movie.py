"""An animation: a sequence of frames, shown in a notebook or written to a file."""

from __future__ import annotations

import base64
import io
import json
import math
import os
import shutil
import subprocess
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Optional

import numpy as np

from ._quantities import Floats
from ._scene import Actor
from ._style import INK, style

EMBEDDED = 8_000_000  # bytes of a film inside a notebook; longer ones show fewer frames

PLAYER = """<div id="@id@" style="display:inline-block;font:13px sans-serif;color:#333">
<img alt="animation" style="display:block;max-width:100%" width="@width@" height="@height@">
<div style="display:flex;gap:8px;align-items:center;margin-top:4px">
<button type="button" style="width:4.5em">Pause</button>
<input type="range" min="0" max="@last@" value="0" style="flex:1">
</div>@note@</div>
<script>
(function () {
  const frames = @frames@, root = document.getElementById("@id@");
  const image = root.querySelector("img"), button = root.querySelector("button"), slider = root.querySelector("input");
  let k = 0, playing = true, timer = null;
  function show(n) { k = n; slider.value = n; image.src = "data:image/png;base64," + frames[n]; }
  function tick() {
    if (!document.body.contains(root)) { clearInterval(timer); return; }
    if (playing) show((k + 1) % frames.length);
  }
  button.onclick = function () { playing = !playing; button.textContent = playing ? "Pause" : "Play"; };
  slider.oninput = function () { playing = false; button.textContent = "Play"; show(Number(slider.value)); };
  show(0);
  timer = setInterval(tick, @interval@);
})();
</script>"""


class Movie:
    """An animation of a run. A notebook displays it; `save` writes a file; `frame` returns one frame as a figure.

    figure   the matplotlib figure, at the last frame shown
    times    the time of every frame
    """

    def __init__(self, figure: Any, ax: Any, actors: Sequence[Actor], times: Floats, fps: int) -> None:
        self.figure, self.times, self.fps = figure, times, fps
        self._ax, self._actors = ax, actors
        # Only the number changes: mathematics is slow to typeset.
        place = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "bottom", "color": INK}
        ax.annotate("$t =$", (0, 1), xytext=(0, 3), **place)
        self._clock = ax.annotate("", (0, 1), xytext=(14, 3), animated=True, **place)
        step = abs(float(times[-1] - times[0])) / (len(times) - 1)
        self._digits = max(0, 1 - math.floor(math.log10(step))) if step > 0 else 2
        self._digits = min(self._digits, 2) if step > 1e-3 else self._digits
        self._show(0)
        self.figure.canvas.draw()
        self.figure.set_layout_engine("none")  # found once; it must not change from frame to frame

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return (f"<Movie of {len(self)} frames, t = {self.times[0]:g} to {self.times[-1]:g}; "
                'show it in a notebook, or save("film.gif")>')

    def frame(self, number: int) -> Any:
        """The figure at a given frame (-1: the last); save it with `savefig`."""
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no frame {number}; the animation has frames 0 to {len(self) - 1}")
        with style():
            self._show(number % len(self))
        return self.figure

    def save(self, path: Any, overwrite: bool = False) -> None:
        """Save the animation: .gif, .html (a page with a player), or .mp4 if ffmpeg is installed."""
        name = os.fspath(path)
        ending = os.path.splitext(name)[1].lower()
        writers = {".gif": self._write_gif, ".html": self._write_html, ".mp4": self._write_mp4}
        if ending not in writers:
            raise ValueError(f"the name of an animation must end in .gif, .html or .mp4, not in '{ending or name}'")
        if os.path.exists(name) and not overwrite:
            raise FileExistsError(f"'{name}' exists; choose another name or give overwrite=True")
        writers[ending](name)

    def _repr_html_(self) -> str:
        return self._player(EMBEDDED)

    def _show(self, number: int) -> None:
        for actor in self._actors:
            actor.show(number)
        self._clock.set_text(f"{self.times[number]:.{self._digits}f}".replace("-", "\N{MINUS SIGN}"))

    def _pictures(self, numbers: Optional[Iterable[int]] = None) -> Iterator[Any]:
        """Frames, all if not told which, as RGBA arrays: what stands still is drawn once."""
        canvas, ax = self.figure.canvas, self._ax
        with style():
            canvas.draw()
            still = canvas.copy_from_bbox(self.figure.bbox)
            for number in range(len(self)) if numbers is None else numbers:
                canvas.restore_region(still)
                self._show(number)
                for actor in self._actors:
                    for artist in actor.artists:
                        if hasattr(artist, "do_3d_projection"):
                            artist.do_3d_projection()
                        ax.draw_artist(artist)
                ax.draw_artist(self._clock)
                yield np.asarray(canvas.buffer_rgba()).copy()

    def _images(self) -> list[Any]:
        """All frames with one palette, so that nothing flickers and equal pixels stay equal."""
        image = _pillow()
        some = np.unique(np.linspace(0, len(self) - 1, 6).astype(int))
        # Every colour counts once: most pixels are paper, and thin lines must not lose theirs.
        seen = np.unique(np.concatenate([np.unique(_packed(picture)) for picture in self._pictures(some)]))
        colours = np.stack([seen >> 16, (seen >> 8) & 255, seen & 255], axis=-1).astype(np.uint8)
        chosen = image.fromarray(colours[None]).quantize(colors=255, method=image.Quantize.MEDIANCUT)
        palette = image.new("P", (1, 1))
        palette.putpalette([255, 255, 255, *(chosen.getpalette() or [])[:765]])
        images = []
        for picture in self._pictures():
            reduced = image.fromarray(picture).convert("RGB").quantize(palette=palette, dither=image.Dither.NONE)
            numbers = np.array(reduced)
            numbers[_packed(picture) == 0xFFFFFF] = 0  # Pillow takes what is near; paper must stay white
            exact = image.fromarray(numbers, mode="P")
            exact.putpalette(palette.getpalette())
            images.append(exact)
        return images

    def _player(self, limit: float) -> str:
        encoded = []
        images = self._images()
        for image in images:
            memory = io.BytesIO()
            image.save(memory, format="PNG", optimize=False)
            encoded.append(base64.b64encode(memory.getvalue()).decode("ascii"))
        every = max(1, math.ceil(sum(map(len, encoded)) / limit))
        note = f"<div>every {every}th frame is shown; save() writes all frames</div>" if every > 1 else ""
        kept = encoded[::every]
        values = {
            "id": f"libration-{uuid.uuid4().hex}", "width": str(images[0].width), "height": str(images[0].height),
            "last": str(len(kept) - 1), "note": note, "interval": f"{1000 * every / self.fps:.1f}",
            "frames": json.dumps(kept),
        }
        page = PLAYER
        for key, value in values.items():
            page = page.replace(f"@{key}@", value)
        return page

    def _write_html(self, name: str) -> None:
        head = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>libration</title></head><body>\n'
        with open(name, "w", encoding="utf-8") as file:
            file.write(head + self._player(math.inf) + "\n</body></html>\n")

    def _write_gif(self, name: str) -> None:
        images = self._images()
        images[0].save(name, format="GIF", save_all=True, append_images=images[1:], duration=round(1000 / self.fps),
                       loop=0, disposal=1)

    def _write_mp4(self, name: str) -> None:
        ffmpeg = shutil.which("ffmpeg")
        if ffmpeg is None:
            raise RuntimeError(".mp4 files need ffmpeg: install it (apt install ffmpeg), or save as .gif or .html")
        pictures = self._pictures()
        first = next(pictures)
        height, width = (side - side % 2 for side in first.shape[:2])  # the encoder wants even sides
        command = [ffmpeg, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{width}x{height}",
                   "-r", str(self.fps), "-i", "-", "-c:v", "libx264", "-pix_fmt", "yuv420p", name]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdin is not None and process.stderr is not None
            try:
                for picture in (first, *pictures):
                    process.stdin.write(np.ascontiguousarray(picture[:height, :width]).tobytes())
                process.stdin.close()
            except BrokenPipeError:
                pass  # ffmpeg ended early; it says why
            trouble = process.stderr.read().decode(errors="replace").strip()
        if process.returncode:
            raise RuntimeError(f"ffmpeg could not write '{name}': {trouble or process.returncode}")


def _packed(picture: Any) -> Any:
    """Colours as single numbers."""
    wide = picture.astype(np.uint32)
    return (wide[:, :, 0] << 16) | (wide[:, :, 1] << 8) | wide[:, :, 2]


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("animations need Pillow: install it with 'pip install Pillow'") from error
    return Image
