package dev.weir.pilot;

import dev.weir.protocol.NodeInfo;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What this machine is, and what a pilot on it is called without being told. */
final class Node {

    /** A line for each GPU, as in {@code GPU 0: NVIDIA A100 (UUID: …)}. */
    private static final List<String> GPU_LIST = List.of("nvidia-smi", "-L");

    private static final long GPU_SECONDS = 10;

    private Node() {}

    /** Measured once: it does not change while a pilot runs. */
    private static final class Measured {
        static final NodeInfo NODE =
                new NodeInfo(host(), Runtime.getRuntime().availableProcessors(), memoryBytes(), gpus(GPU_LIST));
    }

    static NodeInfo here() {
        return Measured.NODE;
    }

    /** How many lines of the command's output name a GPU; null when there is no such command, or it fails or hangs. */
    static Integer gpus(List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Redirect.from(new File("/dev/null")));
            // The pilot's own settings hold passwords.
            builder.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
            Process list = builder.start();
            CompletableFuture<Long> counted =
                    CompletableFuture.supplyAsync(() -> list.inputReader(StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> line.startsWith("GPU "))
                            .count());
            if (!list.waitFor(GPU_SECONDS, TimeUnit.SECONDS)) {
                list.destroyForcibly();
                return null;
            }
            return list.exitValue() == 0 ? counted.get(1, TimeUnit.SECONDS).intValue() : null;
        } catch (IOException | ExecutionException | TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Its name; "localhost" when it does not know it. */
    static String host() {
        return host(Path.of("/proc/sys/kernel/hostname"), System.getenv("HOSTNAME"));
    }

    /** The kernel's name comes first, because batch systems may hand on the variable of the machine from which a pilot was submitted. */
    static String host(Path kernel, String variable) {
        try {
            return Files.readString(kernel).strip();
        } catch (IOException e) {
            if (variable != null && !variable.isBlank()) {
                return variable;
            }
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                return "localhost";
            }
        }
    }

    /** Below this user's own state, with the host's name because homes are shared; never where others may make it first. */
    static Path workDirectory() {
        String given = System.getenv().getOrDefault("XDG_STATE_HOME", "");
        Path state = given.startsWith("/") ? Path.of(given) : Path.of(System.getProperty("user.home"), ".local/state");
        return state.resolve("weir-pilot").resolve(plainHost());
    }

    /** New each time. */
    static String pilotId() {
        return plainHost() + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    private static String plainHost() {
        String host = host().replaceAll("[^A-Za-z0-9._-]", "-");
        return host.substring(0, Math.min(host.length(), 64));
    }

    /** From {@code /proc/meminfo}; null elsewhere. */
    private static Long memoryBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemTotal:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
        } catch (IOException | NumberFormatException e) {
            return null;
        }
        return null;
    }
}
