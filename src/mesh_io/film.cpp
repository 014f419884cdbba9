#include "mesh_io/film.h"

#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "mesh_io/atomic_file.h"

extern char** environ;

namespace firn {
namespace fs = std::filesystem;

namespace {

std::optional<fs::path> find_program(const std::string& name) {
  const char* list = std::getenv("PATH");
  std::istringstream folders(list ? list : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
  }
  return std::nullopt;
}

std::vector<std::string> ffmpeg_arguments(const fs::path& output, int width, int height, double fps,
                                          FilmCodec codec) {
  const bool hevc = codec == FilmCodec::hevc;
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  return {"ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
          // What comes in.
          "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", size, "-framerate",
          std::to_string(fps), "-i", "pipe:0",
          // What goes out; players assume BT.709 for films of this size.
          "-an", "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709", "-c:v",
          hevc ? "libx265" : "libx264", "-tag:v", hevc ? "hvc1" : "avc1", "-preset", "fast", "-crf",
          hevc ? "21" : "18", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p",
          "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-movflags",
          "+faststart", "file:" + output.string()};
}

// Starts a program with the given standard input; its messages go to `messages`.
std::optional<pid_t> start(const fs::path& program, std::vector<std::string> arguments, int input,
                           int messages) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, 0);
  posix_spawn_file_actions_adddup2(&files, messages, 1);
  posix_spawn_file_actions_adddup2(&files, messages, 2);
  // The caller may block or ignore signals; ffmpeg should not inherit that. In a group of its own
  // it does not hear Ctrl-C: whoever made it ends the film.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, pipe_signal;
  sigemptyset(&none);
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  pid_t pid = 0;
  const int error = posix_spawn(&pid, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    errno = error;
    return std::nullopt;
  }
  return pid;
}

std::string last_line_of(int descriptor) {
  char text[4096];
  const off_t size = lseek(descriptor, 0, SEEK_END);
  const off_t from = size > off_t(sizeof(text)) ? size - off_t(sizeof(text)) : 0;
  const ssize_t got = pread(descriptor, text, sizeof(text), from);
  std::string tail(text, got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) tail.pop_back();
  return tail.substr(tail.find_last_of("\n\r") + 1);
}

}  // namespace

struct FilmWriter::Process {
  fs::path path;
  AtomicFile file;
  int width, height;
  pid_t pid = 0;      // 0: not running
  int socket = -1;    // a socket and not a pipe: send() can be told not to raise SIGPIPE
  int messages = -1;  // what ffmpeg prints, in memory
  bool has_frames = false;
  std::string problem;

  Process(fs::path p, AtomicFile f, int w, int h)
      : path(std::move(p)), file(std::move(f)), width(w), height(h) {}
  ~Process() {
    if (pid != 0) kill(pid, SIGKILL);
    stop();
    if (messages >= 0) close(messages);
  }

  // Ends the input and waits; the wait status of ffmpeg.
  int stop() {
    if (socket >= 0) close(std::exchange(socket, -1));
    int status = 0;
    if (pid != 0)
      while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
      }
    pid = 0;
    return status;
  }
};

FilmWriter::FilmWriter(std::unique_ptr<Process> process) : process_(std::move(process)) {}
FilmWriter::FilmWriter(FilmWriter&&) noexcept = default;
FilmWriter& FilmWriter::operator=(FilmWriter&&) noexcept = default;
FilmWriter::~FilmWriter() = default;

Result<FilmWriter> FilmWriter::open(const fs::path& path, int width, int height, double fps,
                                    FilmCodec codec) {
  const auto failure = [&](const std::string& reason) {
    return Result<FilmWriter>::failure(path.string() + ": " + reason);
  };
  if (width < 2 || height < 2) return failure("a film needs at least 2x2 pixels");
  if (!(fps > 0 && fps <= 1000)) return failure("a film needs 0 to 1000 frames a second");
  const auto program = find_program("ffmpeg");
  if (!program) return failure("films need the program ffmpeg (Debian: apt install ffmpeg)");
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();

  auto process = std::make_unique<Process>(path, std::move(*file), width, height);
  int ends[2];
  process->messages = memfd_create("ffmpeg-messages", MFD_CLOEXEC);
  if (process->messages < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return failure(std::string("cannot start ffmpeg: ") + std::strerror(errno));
  process->socket = ends[0];
  const auto pid =
      start(*program, ffmpeg_arguments(process->file.temporary(), width, height, fps, codec),
            ends[1], process->messages);
  const int error = errno;
  close(ends[1]);
  if (!pid) return failure(std::string("cannot start ffmpeg: ") + std::strerror(error));
  process->pid = *pid;
  return FilmWriter(std::move(process));
}

bool FilmWriter::add(const Image& frame) {
  Process& p = *process_;
  if (p.problem.empty() && (frame.width != p.width || frame.height != p.height))
    p.problem = "a frame differs in size from the film";
  std::size_t sent = 0;
  while (p.problem.empty() && sent < frame.rgb.size()) {
    const ssize_t done =
        send(p.socket, frame.rgb.data() + sent, frame.rgb.size() - sent, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0)
      p.problem = std::string("ffmpeg stopped reading: ") + std::strerror(errno);
    else
      sent += static_cast<std::size_t>(done);
  }
  p.has_frames = true;
  return p.problem.empty();
}

Result<fs::path> FilmWriter::finish() {
  Process& p = *process_;
  const int status = p.stop();
  const std::string said = last_line_of(p.messages);
  // It counts some failures of the last writes as success, but says so.
  const bool clean =
      WIFEXITED(status) && WEXITSTATUS(status) == 0 && said.find("rror") == std::string::npos;
  if (!clean) {
    p.problem = WIFEXITED(status)
                    ? "ffmpeg failed with status " + std::to_string(WEXITSTATUS(status))
                    : "ffmpeg was stopped by signal " + std::to_string(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) p.problem = "ffmpeg failed";
    if (!said.empty()) p.problem += ": " + said;
  }
  // Some versions of ffmpeg call a file without pictures a success.
  if (p.problem.empty() && !p.has_frames) p.problem = "a film needs at least one picture";
  if (!p.problem.empty()) return Result<fs::path>::failure(p.path.string() + ": " + p.problem);
  return p.file.commit();
}

}  // namespace firn
