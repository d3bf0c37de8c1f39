package dev.weir.pilot;

import dev.weir.protocol.NodeInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** What this machine is, and what a pilot on it is called without being told. */
final class Node {

    private Node() {}

    static NodeInfo here() {
        return new NodeInfo(host(), Runtime.getRuntime().availableProcessors(), memoryBytes());
    }

    /** Its name; "localhost" when it does not know it. */
    static String host() {
        String fromEnvironment = System.getenv("HOSTNAME");
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return fromEnvironment;
        }
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
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
