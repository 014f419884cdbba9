# PkgConfig::epoxy, which finds OpenGL and EGL when the program runs.
find_package(PkgConfig REQUIRED)
pkg_check_modules(epoxy REQUIRED IMPORTED_TARGET GLOBAL epoxy)
