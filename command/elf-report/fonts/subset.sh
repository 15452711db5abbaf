#!/usr/bin/env bash
# Makes the two typefaces beside this script from DejaVu Sans 2.37: only Latin, Greek, Cyrillic and Hebrew letters and the
# signs of charts. Needs pyftsubset (`pip install fonttools`) and the folder of the whole typefaces, which Debian's
# package fonts-dejavu-core puts into /usr/share/fonts/truetype/dejavu.
set -euo pipefail
source="${1:-/usr/share/fonts/truetype/dejavu}"
cd "$(dirname "$0")"
characters='U+0020-007E,U+00A0-024F,U+0259,U+02B9-02BC,U+02C6-02DD,U+0300-036F,U+0370-03FF,U+0400-052F,U+0591-05F4,
U+1E00-1EFF,U+1F00-1FFF,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+2044,U+20AC,
U+2116,U+2122,U+2190-2193,U+25AF,U+26AD-26AF,U+FB1D-FB4F'
for name in DejaVuSans DejaVuSans-Bold; do
  pyftsubset "$source/$name.ttf" --output-file="$name.ttf" --unicodes="${characters//$'\n'/}" \
    --layout-features=ccmp,kern,locl,mark,mkmk --no-hinting --desubroutinize --notdef-outline --name-IDs='*'
done
