//! Videos, which another program makes of pictures: ffmpeg, where it is installed.

use super::program::Helper;
use super::temporary::Listed;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use tempfile::TempDir;

/// How many pictures of a video are shown in a second.
pub const PICTURES: usize = 25;

/// A kind of video.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VideoKind {
    /// MP4, usually H.264.
    Mp4,
    /// WebM with VP9.
    WebM,
}

impl VideoKind {
    fn file(self) -> &'static str {
        match self {
            Self::Mp4 => "video.mp4",
            Self::WebM => "video.webm",
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Mp4 => &["-crf", "20", "-movflags", "+faststart"],
            Self::WebM => &["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-cpu-used", "4"],
        }
    }
}

/// Why there is no video.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VideoError {
    /// There is no ffmpeg.
    #[error("ffmpeg, which makes videos, is not installed")]
    NotInstalled,
    /// It could not be started, or did not make one.
    #[error("ffmpeg failed: {0}")]
    Failed(String),
}

impl From<std::io::Error> for VideoError {
    fn from(why: std::io::Error) -> Self {
        Self::Failed(why.to_string())
    }
}

/// Where ffmpeg is installed; `None` if it is not among the commands of this machine.
pub fn ffmpeg() -> Option<PathBuf> {
    ffmpeg_in(&env::var_os("PATH")?)
}

fn ffmpeg_in(path: &OsStr) -> Option<PathBuf> {
    let name = format!("ffmpeg{}", env::consts::EXE_SUFFIX);
    // A folder that depends on where this program was started may hold anything.
    let folders = env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// A video that is being made. Dropping it ends ffmpeg, and so does a signal that ends this program.
pub struct Video {
    program: Helper,
    pictures: Option<ChildStdin>,
    kind: VideoKind,
    // In this order: what is removed goes from the list last.
    folder: TempDir,
    _listed: Listed,
}

impl Video {
    /// Starts ffmpeg for pictures of so many pixels in width and height.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(kind: VideoKind, size: [usize; 2]) -> Result<Self, VideoError> {
        let program = ffmpeg().ok_or(VideoError::NotInstalled)?;
        Ok(Self::start_with(Command::new(program), kind, size)?)
    }

    fn start_with(
        mut command: Command,
        kind: VideoKind,
        [width, height]: [usize; 2],
    ) -> std::io::Result<Self> {
        let (listed, folder) = Listed::create(tempfile::tempdir, TempDir::path)?;
        command
            .args([
                "-hide_banner",
                "-loglevel",
                "error",
                "-f",
                "rawvideo",
                "-pixel_format",
                "rgb24",
            ])
            .args(["-video_size", &format!("{width}x{height}")])
            .args(["-framerate", &PICTURES.to_string(), "-i", "pipe:0", "-an"])
            // Players want even sides, and colours at half the resolution.
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"])
            .args(kind.options())
            .arg(folder.path().join(kind.file()))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("log"))?);
        let mut program = Helper::start(command)?;
        let pictures = program.take_input();
        Ok(Self { program, pictures, kind, folder, _listed: listed })
    }

    /// Adds a picture so many times: three bytes for each pixel, row by row from the top.
    ///
    /// # Errors
    /// What ffmpeg said when it ended.
    pub fn add(&mut self, picture: &[u8], times: usize) -> Result<(), VideoError> {
        for _ in 0..times {
            let written = self.pictures.as_mut().map(|pipe| pipe.write_all(picture));
            if !matches!(written, Some(Ok(()))) {
                self.pictures = None;
                self.program.wait();
                return Err(self.complaint());
            }
        }
        Ok(())
    }

    /// The file.
    ///
    /// # Errors
    /// What ffmpeg said if it failed.
    pub fn finish(mut self) -> Result<Vec<u8>, VideoError> {
        self.pictures = None;
        if !self.program.wait() {
            return Err(self.complaint());
        }
        Ok(fs::read(self.folder.path().join(self.kind.file()))?)
    }

    /// The last line that it has written.
    fn complaint(&self) -> VideoError {
        let log = fs::read(self.folder.path().join("log")).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let last = log.lines().rfind(|line| !line.trim().is_empty());
        VideoError::Failed(last.unwrap_or("it did not say why").trim().to_owned())
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Begins a video with commands of the shell in place of ffmpeg.
    fn start(commands: &str, kind: VideoKind, size: [usize; 2]) -> Video {
        let mut shell = Command::new("sh");
        shell.args(["-c", commands, "ffmpeg"]);
        Video::start_with(shell, kind, size).unwrap()
    }

    #[test]
    fn all_pictures_come_to_the_program_and_its_file_comes_back() {
        let commands = "for last; do :; done; echo \"$*\" >\"$last\"; cat >>\"$last\"";
        let mut video = start(commands, VideoKind::Mp4, [2, 1]);
        video.add(b"ABCabc", 2).unwrap();
        video.add(b"xyzXYZ", 0).unwrap();
        video.add(b"123456", 1).unwrap();
        let own = video.folder.path().to_owned();
        let file = String::from_utf8(video.finish().unwrap()).unwrap();
        let (command, pictures) = file.split_once('\n').unwrap();
        assert!(
            command.contains("-video_size 2x1 -framerate 25") && command.ends_with("video.mp4")
        );
        assert_eq!(pictures, "ABCabcABCabc123456");
        assert!(!own.exists());
    }

    #[test]
    fn what_it_complains_of_is_told() {
        let mut video = start("echo 'Unknown encoder' >&2; exit 1", VideoKind::WebM, [64, 64]);
        // Until the pipe is closed, some pictures find room in it.
        let told = (0..1000).find_map(|_| video.add(&[0; 64 * 64 * 3], 1).err());
        assert_eq!(told, Some(VideoError::Failed("Unknown encoder".into())));
        let silent = start("cat >/dev/null; exit 1", VideoKind::Mp4, [2, 2]);
        let why = silent.finish().unwrap_err();
        assert_eq!(why, VideoError::Failed("it did not say why".into()));
    }

    #[test]
    fn it_is_ended_with_the_video_and_with_this_program() {
        let video = start("sleep 1000 & echo $$ $! >&2; wait", VideoKind::Mp4, [2, 2]);
        assert!(video.program.is_killed_at_the_end());
        let log = || fs::read_to_string(video.folder.path().join("log")).unwrap();
        while !log().ends_with('\n') {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let processes: Vec<String> = log().split_whitespace().map(str::to_owned).collect();
        let runs = |process: &String| {
            let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            !state.is_empty() && !state.contains(") Z")
        };
        assert!(processes.len() == 2 && (!cfg!(target_os = "linux") || processes.iter().all(runs)));
        drop(video);
        assert!(!runs(&processes[0]));
        // Its child is killed too, but nobody here waits for that.
        let mut tries = 0;
        while runs(&processes[1]) && tries < 10_000 {
            std::thread::sleep(std::time::Duration::from_millis(5));
            tries += 1;
        }
        assert!(!runs(&processes[1]));
    }

    #[test]
    fn one_that_has_ended_is_not_killed_any_more() {
        let mut video = start("cat >/dev/null", VideoKind::Mp4, [2, 2]);
        video.pictures = None;
        assert!(video.program.wait());
        assert!(!video.program.is_killed_at_the_end(), "its number may be that of another one");
    }

    #[test]
    fn it_is_looked_for_in_whole_paths_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ffmpeg");
        fs::write(&file, "").unwrap();
        assert_eq!(ffmpeg_in(folder.path().as_os_str()), Some(file));
        // The same folder, as a path from where this test was started.
        let here = env::current_dir().unwrap();
        let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
        let below_root = folder.path().strip_prefix("/").unwrap();
        let relative = up.join(below_root);
        assert!(relative.is_relative() && relative.join("ffmpeg").is_file());
        assert_eq!(ffmpeg_in(relative.as_os_str()), None);
    }
}
