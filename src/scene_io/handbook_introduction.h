// The part of docs/scenes.md that is written by hand.
#pragma once

namespace firn {

inline constexpr const char* kHandbookIntroduction = R"text(# Scene files

<!-- Made by `firn schema --markdown`; `make docs` renews it. Change the descriptions in src/scene instead. -->

A scene is a JSON file: what there is, what it is made of, what it meets, and what to write. Two sections are enough:

```json
{
  "$schema": "schema.json",
  "materials": {"snow": {"model": "snow"}},
  "objects": [{"shape": {"type": "ball", "radius": 0.2, "center": [0, 0.5, 0]}, "material": "snow"}],
  "colliders": [{"shape": {"type": "plane"}, "friction": 0.5}]
}
```
```
firn check my.json --preview my.png    # what would run, and a picture of how it starts
firn run my.json                       # frames, statistics and a checkpoint in out/my/
firn run my.json --set /grid/spacing=0.01 --set /materials/snow/preset=powdery
```

- Units are SI, angles are degrees, y is up. In 2D vectors have two components, and masses and forces are per metre.
- Unknown keys, wrong types and values out of range are errors; all of a file's are told at once, each with its place.
- Paths of files (meshes, pictures, points) are relative to the folder of the scene file.
- Colours are `"#rrggbb"` or three numbers from 0 to 1.
- `firn schema --text` prints this page as plain lines, `firn materials` the models with their presets.

**Methods** are words, or objects with a `type` and keys of their own: `"solver": "mpm"` is short for `"solver": {"type": "mpm"}`, and
`"solver": {"type": "mpm", "kernel": "cubic", "transfer": "apic"}` says more; likewise `integrator`. The keys of `mpm` may also stand beside `solver`, as in
`"kernel": "cubic"`; two places that contradict each other are an error, unless one of them was set with `--set`, which then holds. Keys of a method that
the scene does not use are errors.

**Editors** complete keys and mark mistakes when `"$schema"` names the schema, as a path relative to the scene or a URL. VS Code
reads it without further ado. `firn schema > schema.json` writes the file; `scenes/schema.json` is the same.

## Expressions

Where a table says *expression*, a string such as `"0.2 + 0.1 * sin(2 * pi * t)"` may stand in place of the number. Which
variables it knows, the table says: `x`, `y`, `z` are the place in metres, `t` is the time in seconds.
Parameters of materials know these, `phi` (volume fraction of other species) and the scene's `scalars`, for each particle.

| | |
|---|---|
| numbers | `1.5e-3`, `pi`, `e` |
| arithmetic | `+ - * /`, `^` (power, right to left and before the sign: `-2^2` is -4), parentheses |
| conditions | `< <= > >= == !=`, `&&`, <code>&#124;&#124;</code>, `!`; true is 1, false is 0; `a ? b : c` |
| angles in radians | `sin(x)`, `cos(x)`, `tan(x)`, `asin(x)`, `acos(x)`, `atan(x)`, `atan2(y, x)` |
| roots and powers | `sqrt(x)`, `exp(x)`, `log(x)` (natural), `pow(x, y)` |
| pieces | `abs(x)`, `floor(x)`, `ceil(x)`, `mod(x, y)` (has the sign of y), `min(x, y)` and `max(x, y)` (two or more), `clamp(x, 0, 1)` |
| steps | `step(0.5, x)` (1 from 0.5 on), `smoothstep(0, 1, x)` |
| space | `length(x, y)`, `length(x, y, z)` |
| noise | `noise(x)`, `noise(x, y)`, `noise(x, y, z)`: smooth, in -1 to 1, features of size 1, the same on every machine |

For instance `"x < 0.5 ? 1 : 4"`, `"smoothstep(0, 0.5, t) * 9.81"`, `"1 + 0.3 * noise(5 * x, 5 * y, 5 * z)"`.
)text";

}  // namespace firn
