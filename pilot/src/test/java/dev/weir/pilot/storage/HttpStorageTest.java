package dev.weir.pilot.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpStorageTest {

    private static final HttpHosts HOSTS = new HttpHosts(List.of("localhost"));
    private static final Duration SILENCE = Duration.ofSeconds(1);
    private static final int PART = 4 << 20;

    @TempDir
    Path temp;

    private final Map<String, byte[]> stored = new ConcurrentHashMap<>();
    private volatile Duration slowest = Duration.ZERO;
    private HttpServer server;
    private String base;
    private Storages storages;
    private Path local;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
        base = "http://localhost:" + server.getAddress().getPort();
        storages = Storages.standard(new StorageRoots(List.of()), HOSTS);
        local = temp.resolve("local");
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    @Test
    void aFileIsPutAndGotUnderANameThatNeedsEscapes() throws Exception {
        Path source = Files.writeString(temp.resolve("source"), "content");
        String url = base + "/set/name with 100% ä.out";
        storages.store(source, url);
        assertThat(stored).containsOnlyKeys("/set/name with 100% ä.out");
        storages.fetch(url, local, 7);
        assertThat(local).hasContent("content");
    }

    @Test
    void anEscapedUrlIsTakenAsItIs() throws Exception {
        stored.put("/a b", new byte[] {1});
        storages.fetch(base + "/a%20b", local, 7);
        assertThat(local).hasBinaryContent(new byte[] {1});
    }

    @Test
    void everyCharacterOfANameReachesTheServer() throws Exception {
        for (String name :
                List.of("a#1.out", "a#1.log", "a?b=c.out", "ä.out", "a b#2?.out", "100%.out", "[x]^{|}\\\".out")) {
            Path source = Files.writeString(temp.resolve("source"), name);
            storages.store(source, base + "/set/" + name);
            assertThat(stored).containsKey("/set/" + name);
            Files.deleteIfExists(local);
            storages.fetch(base + "/set/" + name, local, 100);
            assertThat(local).hasContent(name);
        }
        assertThat(stored).hasSize(7);
    }

    @Test
    void theHostOfAUrlIsTakenAsItIs() throws Exception {
        assertThat(HttpStorage.uri("http://user@[::1]:80/a#b")).hasToString("http://user@[::1]:80/a%23b");
        assertThat(HttpStorage.uri("https://store.example")).hasToString("https://store.example");
        for (String url : List.of("http://a_b/x", "http:///x", "http:x", "http://h h/x")) {
            assertThatThrownBy(() -> HttpStorage.uri(url)).as(url).isInstanceOf(RefusedException.class);
        }
    }

    @Test
    void aMissingOrTooLongFileIsRefusedForGood() {
        stored.put("/long", new byte[100]);
        stored.put("/chunked", new byte[100]);
        assertThatThrownBy(() -> storages.fetch(base + "/none", local, 9))
                .isInstanceOf(MissingFileException.class)
                .hasMessageContaining("404");
        assertThatThrownBy(() -> storages.fetch(base + "/long", local, 9)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> storages.fetch(base + "/chunked", temp.resolve("other"), 9))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void anAnswerThatBringsNoWholeFileIsRefused() {
        for (int status : new int[] {202, 204, 206}) {
            assertThatThrownBy(() -> storages.fetch(base + "/status/" + status, local, 9))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(status + ", which does not bring the whole file");
            assertThat(local).doesNotExist();
        }
    }

    @Test
    void aServersTroubleMayBeTriedAgain() throws IOException {
        Path source = Files.writeString(temp.resolve("source"), "content");
        assertThatThrownBy(() -> storages.store(source, base + "/broken"))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(RefusedException.class)
                .hasMessageContaining("503");
    }

    @Test
    void anUploadThatIsRedirectedToALoginPageIsNotStored() throws IOException {
        Path source = Files.writeString(temp.resolve("source"), "content");
        for (int status : new int[] {301, 302, 303}) {
            assertThatThrownBy(() -> storages.store(source, base + "/redirect/" + status + "/login"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(status + ", which does not say that the file is stored");
        }
        assertThat(stored).isEmpty();
    }

    @Test
    void anUploadGoesWhereTheSameHostSendsItAndNowhereElse() throws Exception {
        Path source = Files.writeString(temp.resolve("source"), "content");
        for (int status : new int[] {307, 308}) {
            storages.store(source, base + "/redirect/" + status + "/set/" + status);
            assertThat(stored).containsKey("/set/" + status);
            assertThatThrownBy(() -> storages.store(source, base + "/elsewhere/" + status))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("another host");
        }
        assertThatThrownBy(() -> storages.store(source, base + "/circle"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("too often");
        assertThat(stored).hasSize(2);
    }

    @Test
    void anAnswerThatDoesNotSayStoredIsRefused() throws IOException {
        Path source = Files.writeString(temp.resolve("source"), "content");
        for (int status : new int[] {202, 203, 205, 206, 207}) {
            assertThatThrownBy(() -> storages.store(source, base + "/status/" + status))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("was answered with " + status);
        }
    }

    @Test
    void anUploadOfWhichThereIsLessOrNothingAfterwardsMayBeTriedAgain() throws IOException {
        Path source = Files.writeString(temp.resolve("source"), "content");
        assertThatThrownBy(() -> storages.store(source, base + "/cut"))
                .isNotInstanceOf(RefusedException.class)
                .hasMessageContaining("has 3 bytes there; 7 were sent");
        assertThatThrownBy(() -> storages.store(source, base + "/forgotten"))
                .isNotInstanceOf(RefusedException.class)
                .hasMessageContaining("is not there");
    }

    @Test
    void aServerThatOffersNoHeadIsBelieved() throws Exception {
        Path source = Files.writeString(temp.resolve("source"), "content");
        storages.store(source, base + "/headless");
        assertThat(stored).containsKey("/headless");
        storages.store(Files.createFile(temp.resolve("empty")), base + "/empty");
        assertThat(stored.get("/empty")).isEmpty();
    }

    @Test
    void aDownloadFollowsRedirects() throws Exception {
        stored.put("/there", new byte[] {1});
        storages.fetch(base + "/redirect/302/there", local, 7);
        assertThat(local).hasBinaryContent(new byte[] {1});
        assertThatThrownBy(() -> storages.fetch(base + "/circle", temp.resolve("other"), 7))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("too often");
    }

    /** The server takes longer for the whole than nothing may move, and never as long for a part. */
    @Test
    void anUploadLastsAsLongAsItMoves() throws Exception {
        Path source = Files.write(temp.resolve("source"), new byte[64 << 20]);
        new HttpStorage(HOSTS, SILENCE).store(source, base + "/slow");
        assertThat(stored.get("/slow").length).isEqualTo(64 << 20);
        assertThat(slowest).isGreaterThan(SILENCE);
    }

    @Test
    void aRequestThatNobodyTakesOrAnswersEnds() throws Exception {
        Path source = Files.write(temp.resolve("source"), new byte[64 << 20]);
        HttpStorage storage = new HttpStorage(HOSTS, SILENCE);
        try (ServerSocket deaf = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "http://localhost:" + deaf.getLocalPort() + "/x";
            assertThatThrownBy(() -> storage.store(source, url)).isInstanceOf(HttpTimeoutException.class);
            assertThatThrownBy(() -> storage.fetch(url, local, 9)).isInstanceOf(HttpTimeoutException.class);
        }
    }

    @Test
    void anAnswerThatStopsInItsMiddleMayBeTriedAgain() {
        server.createContext("/stalls", exchange -> {
            exchange.sendResponseHeaders(200, 9);
            exchange.getResponseBody().write(new byte[4]);
            exchange.getResponseBody().flush();
        });
        HttpStorage storage = new HttpStorage(HOSTS, SILENCE);

        assertThatThrownBy(() -> storage.fetch(base + "/stalls", local, 9))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("nothing came for 1 s");
    }

    /** Else a deleted output would keep its place on the disk for as long as the pilot lives. */
    @Test
    void anUploadThatIsCutLeavesItsFileClosed() throws Exception {
        server.createContext("/cuts", HttpExchange::close);
        Path source = temp.toRealPath().resolve("source");
        try (RandomAccessFile large = new RandomAccessFile(source.toFile(), "rw")) {
            large.setLength(64L << 20);
        }

        assertThatThrownBy(() -> storages.store(source, base + "/cuts")).isInstanceOf(IOException.class);
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.filter(Files::exists)).noneMatch(file -> isSame(file, source));
        }
    }

    private static boolean isSame(Path file, Path source) {
        try {
            return Files.isSameFile(file, source);
        } catch (IOException e) {
            return false; // Closed meanwhile.
        }
    }

    /** Reads in parts, each after a pause of an eighth of what a client bears. */
    private byte[] readSlowly(InputStream body) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        long start = System.nanoTime();
        for (byte[] part = body.readNBytes(PART); part.length > 0; part = body.readNBytes(PART)) {
            whole.write(part);
            LockSupport.parkNanos(SILENCE.toNanos() / 8);
        }
        slowest = Duration.ofNanos(System.nanoTime() - start);
        return whole.toByteArray();
    }

    @Test
    void onlyAllowedServersAreAskedAlsoBehindRedirects() throws Exception {
        Path source = Files.writeString(temp.resolve("source"), "content");
        String elsewhere = "http://127.0.0.1:" + server.getAddress().getPort() + "/set/elsewhere";
        stored.put("/set/elsewhere", new byte[1]);
        for (String url : List.of(elsewhere, base + "/elsewhere/302")) {
            assertThatThrownBy(() -> storages.fetch(url, local, 9))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("127.0.0.1")
                    .hasMessageContaining("--http-host");
        }
        stored.clear();
        assertThatThrownBy(() -> storages.store(source, elsewhere)).hasMessageContaining("--http-host");
        Storages none = Storages.standard(new StorageRoots(List.of()), new HttpHosts(List.of()));
        assertThatThrownBy(() -> none.store(source, base + "/x")).hasMessageContaining("none are set");
        assertThat(stored).isEmpty();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            byte[] body = path.equals("/slow") && exchange.getRequestMethod().equals("PUT")
                    ? readSlowly(exchange.getRequestBody())
                    : exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("HEAD")) {
                head(exchange, path);
            } else if (path.startsWith("/redirect/")) {
                exchange.getResponseHeaders().set("Location", path.substring("/redirect/300".length()));
                exchange.sendResponseHeaders(Integer.parseInt(path.substring(10, 13)), -1);
            } else if (path.startsWith("/elsewhere/")) {
                String there = "http://127.0.0.1:" + server.getAddress().getPort() + "/set/elsewhere";
                exchange.getResponseHeaders().set("Location", there);
                exchange.sendResponseHeaders(Integer.parseInt(path.substring(11)), -1);
            } else if (path.equals("/circle")) {
                exchange.getResponseHeaders().set("Location", "/circle");
                exchange.sendResponseHeaders(307, -1);
            } else if (path.equals("/login")) {
                exchange.sendResponseHeaders(200, -1);
            } else if (path.equals("/broken")) {
                exchange.sendResponseHeaders(503, -1);
            } else if (path.startsWith("/status/")) {
                int status = Integer.parseInt(path.substring("/status/".length()));
                exchange.sendResponseHeaders(status, status == 204 ? -1 : 4);
                if (status != 204) {
                    exchange.getResponseBody().write(new byte[4]);
                }
            } else if (exchange.getRequestMethod().equals("PUT")) {
                stored.put(path, body);
                exchange.sendResponseHeaders(201, -1);
            } else if (stored.containsKey(path)) {
                exchange.sendResponseHeaders(200, path.equals("/chunked") ? 0 : stored.get(path).length);
                exchange.getResponseBody().write(stored.get(path));
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    /** The header is set by hand: this server has none of its own for HEAD. */
    private void head(HttpExchange exchange, String path) throws IOException {
        boolean known = stored.containsKey(path) && !path.equals("/forgotten");
        if (known) {
            int length = path.equals("/cut") ? 3 : stored.get(path).length;
            exchange.getResponseHeaders().set("Content-Length", String.valueOf(length));
        }
        int status = path.equals("/headless") ? 405 : known ? 200 : 404;
        exchange.sendResponseHeaders(status, -1);
    }
}
