package dev.weir.gateway.access;

import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that are valid: a file with a line of JSON for each. Changes of the file count within a second. A line that cannot be read is
 * left out and logged, so that taking a token away always works. Safe for use from many threads.
 */
public final class TokenFile implements Tokens {

    /** Of which each character is a byte, so that lines of any encoding are written back as they were. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path file;
    private final Map<String, Token> further;
    private Map<String, Token> byHash = Map.of();
    private Version version;
    private long lookedAt;

    /** Two writes within the clock's resolution differ in size. */
    private record Version(FileTime modified, long size) {}

    public TokenFile(Path file) {
        this(file, List.of());
    }

    /**
     * With tokens beside those of the file.
     *
     * @param further lines as in the file
     */
    public TokenFile(Path file, List<String> further) {
        this.file = file;
        this.further = read("the tokens of the environment", further);
        lookedAt = System.nanoTime();
        refresh();
    }

    @Override
    public Optional<Token> find(String text) {
        String hash = Token.hash(text);
        return Optional.ofNullable(tokens().get(hash));
    }

    @Override
    public boolean isEmpty() {
        return tokens().isEmpty();
    }

    private synchronized Map<String, Token> tokens() {
        if (System.nanoTime() - lookedAt > LOOK_NANOS) {
            lookedAt = System.nanoTime();
            refresh();
        }
        return byHash;
    }

    private void refresh() {
        try {
            if (!Files.exists(file)) {
                byHash = further;
                version = null;
                return;
            }
            Version now = new Version(Files.getLastModifiedTime(file), Files.size(file));
            if (!now.equals(version)) {
                Map<String, Token> all = new HashMap<>(further);
                all.putAll(read(file.toString(), lines(file)));
                byHash = Map.copyOf(all);
                version = now;
            }
        } catch (IOException e) {
            LOG.error("The tokens in {} cannot be read; none of them is valid until they can: {}", file, e.toString());
            byHash = further;
            version = null;
        }
    }

    /** What is not UTF-8 spoils its own line only. */
    private static List<String> lines(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static Map<String, Token> read(String where, List<String> lines) {
        Map<String, Token> read = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                // Of a scope with a misspelt name nothing but full rights would be left.
                Token token = Json.readStrict(line.getBytes(StandardCharsets.UTF_8), Token.class);
                read.put(token.sha256(), token);
            } catch (InvalidMessage e) {
                LOG.error("Line {} of {} is no token and is left out: {}", i + 1, where, e.getMessage());
            }
        }
        return Map.copyOf(read);
    }

    /**
     * Adds a token, in place of one of the same name. The file is made, for its owner only, if it is not there; otherwise owner and mode stay, so that
     * whoever read it still can. Programs that read it see the old or the new tokens. One command at a time: others wait for the lock, which
     * the operating system takes back however a command ends.
     */
    public static synchronized void put(Path file, Token token) throws IOException {
        Path path = file.toAbsolutePath();
        Files.createDirectories(path.getParent());
        try (FileChannel lock = open(path.resolveSibling(path.getFileName() + ".lock"))) {
            lock.lock();
            Path whole = Files.createTempFile(path.getParent(), path.getFileName() + ".", ".new");
            try {
                Files.write(whole, with(token, path), BYTES);
                if (Files.exists(path)) {
                    giveTo(whole, Files.readAttributes(path, PosixFileAttributes.class));
                }
                Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(whole);
            }
        }
    }

    /** One that another user has made, as root, is replaced: who may change the tokens may do that, and they hardly change them at one moment. */
    private static FileChannel open(Path lock) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            return FileChannel.open(lock, options, OWNER_ONLY);
        } catch (AccessDeniedException e) {
            Files.deleteIfExists(lock);
            return FileChannel.open(lock, options, OWNER_ONLY);
        }
    }

    private static void giveTo(Path whole, PosixFileAttributes as) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(whole, PosixFileAttributeView.class);
        try {
            PosixFileAttributes now = view.readAttributes();
            if (!now.owner().equals(as.owner())) {
                view.setOwner(as.owner());
            }
            if (!now.group().equals(as.group())) {
                view.setGroup(as.group());
            }
            view.setPermissions(as.permissions());
        } catch (IOException e) {
            throw new IOException(
                    "the tokens stay as they were: the new file cannot be given to " + as.owner() + ":" + as.group()
                            + ", as which the gateway may read it; run this as " + as.owner() + " (" + e + ")",
                    e);
        }
    }

    private static List<String> with(Token token, Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file, BYTES)) {
                if (!isOf(token.name(), line)) {
                    lines.add(line);
                }
            }
        }
        lines.add(new String(Json.write(token), BYTES));
        return lines;
    }

    private static boolean isOf(String name, String line) {
        try {
            return Json.read(line.getBytes(BYTES), Token.class).name().equals(name);
        } catch (InvalidMessage e) {
            // A comment, or a line that only its writer can correct.
            return false;
        }
    }
}
