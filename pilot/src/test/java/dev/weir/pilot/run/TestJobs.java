package dev.weir.pilot.run;

import dev.weir.protocol.DeviceType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Jobs over files in one directory, with programs that are shell scripts. */
public final class TestJobs {

    /** Longest output under {@link #settings}. */
    public static final long MAX_OUTPUT = 1 << 20;

    /** Most memory of a job under {@link #settings}. */
    static final long MAX_MEMORY = 64 << 20;

    private final Path root;

    /** Makes {@code bin/} for programs and {@code data/} for files. */
    public TestJobs(Path root) throws IOException {
        this.root = root.toRealPath();
        Files.createDirectories(this.root.resolve("bin"));
        Files.createDirectories(this.root.resolve("data"));
    }

    public Path bin() {
        return root.resolve("bin");
    }

    public Path data() {
        return root.resolve("data");
    }

    public Path work() {
        return root.resolve("work");
    }

    /** A shell script that is an executable of the pilot. */
    public String program(String name, String script) {
        try {
            Path path = Files.writeString(bin().resolve(name), "#!/bin/sh\n" + script + "\n");
            if (!path.toFile().setExecutable(true)) {
                throw new IllegalStateException(path + " cannot be made executable");
            }
            return name;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String input(String name, String content) {
        try {
            Files.writeString(data().resolve(name), content);
            return "file://" + data().resolve(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A job over one small file. */
    public Job job(String uid, String program, String args) {
        return job(uid, program, args, 60, null, null);
    }

    public Job job(String uid, String program, String args, int timeoutS, Long size, String checksum) {
        String in = input(uid + ".dat", "input of " + uid + "\n");
        return make(uid, program, args, Mode.MAP, in, List.of(), List.of(), size, checksum, timeoutS);
    }

    public Job merge(String uid, String program, String args, List<String> inputs) {
        return merge(uid, program, args, inputs, List.of());
    }

    public Job merge(String uid, String program, String args, List<String> inputs, List<Long> sizes) {
        return make(uid, program, args, Mode.MERGE, null, inputs, sizes, null, null, 60);
    }

    private Job make(
            String uid,
            String program,
            String args,
            Mode mode,
            String in,
            List<String> ins,
            List<Long> sizes,
            Long size,
            String checksum,
            int timeoutS) {
        String out = "file://" + data() + "/out/" + uid + "/" + uid + ".0.1.";
        return new Job(
                uid,
                program,
                args,
                1,
                DeviceType.CPU,
                mode,
                "task",
                1L,
                in,
                ins,
                sizes,
                size,
                checksum,
                out + "out",
                out + "log",
                1,
                "0/0/task",
                60,
                timeoutS);
    }

    /** Short pauses, so that what must fail fails soon. */
    public RunSettings settings() {
        return new RunSettings(
                List.of(bin()),
                4096,
                MAX_OUTPUT,
                1 << 20,
                MAX_MEMORY,
                0,
                Duration.ofSeconds(30),
                2,
                Duration.ofMillis(10),
                Duration.ofMillis(300),
                Duration.ofSeconds(10),
                3);
    }
}
