#!/bin/sh
# Makes sure that the system libraries which Qt loads at run time are there. As root they are installed, else the
# line that installs them is printed; on systems other than Debian's family nothing is done.
set -u
[ "$(uname -s)" = Linux ] || exit 0
command -v dpkg-query >/dev/null 2>&1 || exit 0

wanted="libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libglib2.0-0 libgssapi-krb5-2
libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
libxcb-sync1 libxcb-xfixes0 libxcb-xkb1 libx11-xcb1"
[ "${1:-}" = dev ] && wanted="$wanted xvfb"
python_library=$("${PYTHON:-python3}" -c 'import sys; print("libpython%d.%d" % sys.version_info[:2])' 2>/dev/null)
# What freezes the program, makes and checks its package, and tries it in a root of its own; the libraries are those
# that Qt's plugins are linked with, so that the package can name them.
[ "${1:-}" = package ] && wanted="$wanted appstream binutils chrpath debootstrap desktop-file-utils dpkg-dev lintian
libbrotli1 $python_library libwayland-client0 libwayland-cursor0 libwayland-egl1 shared-mime-info
xdotool xvfb"

missing=""
for name in $wanted; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)
    # Debian 13 renamed some packages for 64-bit time
    [ "$state" = installed ] || [ "$(dpkg-query -W -f='${db:Status-Status}' "${name}t64" 2>/dev/null)" = installed ] ||
        missing="$missing $name"
done
"${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    echo "Installing system libraries:$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
    echo "Some could not be installed; this is the line:"
fi
echo "apt-get install -y$missing"
echo "Run it as root if the window does not open; the rest goes on without."
exit 0
