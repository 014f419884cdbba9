// Preloaded where Mesa's llvmpipe dies: LLVM takes the instructions of a processor from its name,
// and a virtual machine may hide some of them (SVE of a Neoverse-V1). By the name of an older one,
// which has none that could be missing, the driver works. Mesa's cache of shaders must be off
// (MESA_SHADER_CACHE_DISABLE=1): it holds code for the processor of the true name.
#include <cstddef>

#if defined(__aarch64__)
constexpr char kName[] = "neoverse-n1";
#elif defined(__x86_64__)
constexpr char kName[] = "x86-64";
#else
constexpr char kName[] = "generic";
#endif

// llvm::StringRef llvm::sys::getHostCPUName()
struct StringRef {
  const char* data;
  std::size_t size;
};
extern "C" StringRef _ZN4llvm3sys14getHostCPUNameEv() {
  return {kName, sizeof(kName) - 1};
}
