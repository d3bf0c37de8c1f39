package dev.weir.pilot;

import dev.weir.protocol.NodeInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this machine is. */
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
