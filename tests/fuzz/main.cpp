// Runs a fuzz target without a fuzzing engine: every file of a corpus folder, then mutations of
// them for a while. The same seed gives the same inputs.
//   scene_fuzz CORPUS [--seconds N] [--seed S] [--binary 1] [--crash FILE]
//   scene_fuzz --input FILE
// An input that breaks the target, or takes it longer than half a minute, is left in FILE
// (fuzz_crash.bin in the working folder when not given); --input runs it again.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

#include "mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#ifdef __SANITIZE_ADDRESS__
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace {

constexpr unsigned kLongestSeconds = 30;  // of one input

std::string current_input;
std::string crash_file = "fuzz_crash.bin";

void save_current_input() {
  if (std::FILE* file = std::fopen(crash_file.c_str(), "wb")) {
    std::fwrite(current_input.data(), 1, current_input.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "fuzz: the input is in %s\n", crash_file.c_str());
}

void on_signal(int signal) {
  if (signal == SIGALRM) std::fprintf(stderr, "fuzz: takes longer than %u s\n", kLongestSeconds);
  save_current_input();
  std::signal(SIGABRT, SIG_DFL);
  std::abort();
}

void watch_signals() {
  for (const int signal : {SIGABRT, SIGALRM}) std::signal(signal, on_signal);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(save_current_input);
#else
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, on_signal);
#endif
}

// False when the target says that the input is no good start for others.
bool run(const std::string& input) {
  current_input = input;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(input.data());
  alarm(kLongestSeconds);
  const bool taken = LLVMFuzzerTestOneInput(bytes, input.size()) == 0;
  alarm(0);
  return taken;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int run_file(const std::string& path) {
  std::printf("fuzz: %s\n", run(content(path)) ? "taken" : "refused");
  return 0;
}

std::vector<std::string> read_corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) corpus.push_back(content(path));
  return corpus;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 10;
  std::uint64_t seed = 1;
  bool binary = false;
  watch_signals();
  if (argc == 3 && std::string(argv[1]) == "--input") return run_file(argv[2]);
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--crash") crash_file = argv[i + 1];
    if (std::string(argv[i]) == "--seconds") seconds = std::atof(argv[i + 1]);
    if (std::string(argv[i]) == "--binary") binary = std::atoi(argv[i + 1]) != 0;
    if (std::string(argv[i]) == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  if (argc < 2 || argc % 2 != 0) {
    std::fprintf(stderr,
                 "usage: %s CORPUS [--seconds N] [--seed S] [--binary 1] [--crash FILE]\n"
                 "       %s --input FILE\n",
                 argv[0], argv[0]);
    return 2;
  }
  const std::vector<std::string> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "fuzz: no files in %s\n", argv[1]);
    return 2;
  }
  for (const std::string& input : corpus) run(input);
  firn::Mutator mutator(corpus, seed, binary);
  std::uint64_t count = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (; elapsed() < seconds; ++count) {
    const std::string input = mutator.next();
    // Without coverage to go by, keep a few inputs at random, so that mutations pile up.
    if (run(input) && count % 50 == 0) mutator.keep(input);
  }
  std::printf("fuzz: %zu corpus files, %llu mutations in %.1f s, seed %llu\n", corpus.size(),
              static_cast<unsigned long long>(count), elapsed(),
              static_cast<unsigned long long>(seed));
  return 0;
}
