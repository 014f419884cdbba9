# What users of the library get: find_package(firn), the target firn::firn, and the headers of its face
# with all that they include, as <firn/room/header.h>. See docs/library.md.
set(FIRN_FACE
    scene/settings.h scene/defaults.h scene/check.h scene/output_fields.h  # a scene in code
    scene_io/scene_reader.h scene_io/scene_writer.h                        # and in files
    sim/world.h                                                            # in motion
    frames/ply.h frames/vtu.h frames/bgeo.h                                # its frames
    run/run.h run/checkpoint.h                                             # whole runs
    exec/parallel.h)                                                       # threads
set(FIRN_INSTALLED_ROOMS base exec solvers expr geometry material particles collision grains solver mpm sph fem cuda solver_cuda mpm_cuda sph_cuda grains_cuda scene sim surface volume
    mesh_io frames scene_io run)

add_library(firn_library INTERFACE)
target_link_libraries(firn_library INTERFACE firn_run)
set_target_properties(firn_library PROPERTIES EXPORT_NAME firn)
list(TRANSFORM FIRN_INSTALLED_ROOMS PREPEND firn_ OUTPUT_VARIABLE rooms)
install(TARGETS firn_library firn_compiler ${rooms} EXPORT firn ARCHIVE DESTINATION lib)
install(EXPORT firn NAMESPACE firn:: DESTINATION lib/cmake/firn FILE firn-targets.cmake)

string(JOIN " " face ${FIRN_FACE})
install(CODE "
  set(FIRN_SOURCE ${PROJECT_SOURCE_DIR}/src)
  set(FIRN_STAGE ${PROJECT_BINARY_DIR}/include)
  set(FIRN_FACE ${face})
  include(${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake)")

set(FIRN_CUDA_DEPENDENCY "")
if(FIRN_CUDA)
  set(FIRN_CUDA_DEPENDENCY "find_dependency(CUDAToolkit)\n")
endif()
file(WRITE ${PROJECT_BINARY_DIR}/cuda-dependency.cmake "${FIRN_CUDA_DEPENDENCY}")
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/firn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/firn-config.cmake ${PROJECT_SOURCE_DIR}/cmake/openvdb.cmake
        ${PROJECT_BINARY_DIR}/firn-config-version.cmake ${PROJECT_BINARY_DIR}/cuda-dependency.cmake
        DESTINATION lib/cmake/firn)
