# find_package(firn): the target firn::firn.
include(CMakeFindDependencyMacro)
enable_language(C)  # HDF5 is looked for with a C compiler
find_dependency(Threads)
find_dependency(nlohmann_json)
find_dependency(HDF5 COMPONENTS C)
find_dependency(fmt)
find_dependency(PNG)
find_dependency(JPEG)
include(${CMAKE_CURRENT_LIST_DIR}/cuda-dependency.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/openvdb.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/firn-targets.cmake)
