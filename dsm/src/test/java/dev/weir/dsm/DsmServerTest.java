package dev.weir.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.connectors.dsm.DsmReader;
import dev.weir.connectors.dsm.DsmReaderOptions;
import dev.weir.dsm.catalogue.DatasetConflict;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DsmServerTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private ScratchDatabase database;
    private DsmServer dsm;

    @BeforeEach
    void start() throws Exception {
        database = ScratchDatabase.create();
        dsm = DsmServer.start(options());
    }

    @AfterEach
    void stop() throws Exception {
        dsm.close();
        database.close();
    }

    private DsmOptions options() {
        return DsmOptions.local(database.jdbcUrl(), database.user(), database.password(), null)
                .withAllowed(List.of(directory));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(HttpRequest.newBuilder(URI.create(dsm.url() + path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, Object body) throws Exception {
        String text = body instanceof String given ? given : Json.mapper().writeValueAsString(body);
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(dsm.url() + path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(text))
                        .build(),
                BodyHandlers.ofString());
    }

    private List<String> names(String query) throws Exception {
        List<String> names = new ArrayList<>();
        JsonNode page = Json.mapper().readTree(get("/dataset/d" + query).body());
        page.get("data").forEach(file -> names.add(file.get("name").textValue()));
        return names;
    }

    private void write(String... paths) throws IOException {
        for (String path : paths) {
            Path file = directory.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, path);
        }
    }

    private void addDirectory() throws Exception {
        dsm.addDirectory("d", directory, (files, ofFiles, bytes) -> {});
    }

    @Test
    void aDirectoryIsServedRecursivelyWithSizesChecksumsAndUrlsThatLeadToTheFiles() throws Exception {
        write("b.txt", "a/z.txt", "a/b/ü x.txt");
        addDirectory();

        JsonNode page = Json.mapper().readTree(get("/dataset/d").body());

        assertThat(page.get("total").longValue()).isEqualTo(3);
        for (JsonNode entry : page.get("data")) {
            FileInfo file = Json.mapper().treeToValue(entry, FileInfo.class);
            Path path = Path.of(file.url().substring("file://".length()));
            assertThat(Files.readString(path))
                    .isEqualTo(directory.relativize(path).toString());
            assertThat(file.size()).isEqualTo(Files.size(path));
        }
        assertThat(names("")).containsExactly("ü x.txt", "z.txt", "b.txt");
        // printf %s b.txt | sha256sum
        assertThat(page.get("data").get(2).get("checksum").textValue())
                .isEqualTo("sha256:ffa0da5d885fba09d903c782713b6b098c8cf21f56a3a35d9aa920613220d2e1");
    }

    @Test
    void pagesAreCutFromTheStableOrder() throws Exception {
        IntStream.range(0, 25).forEach(i -> writeQuietly(String.format("f%02d", i)));
        addDirectory();

        List<String> all = names("");
        List<String> paged = new ArrayList<>();
        for (int offset = 0; offset < 30; offset += 7) {
            paged.addAll(names("?offset=" + offset + "&limit=7"));
        }

        assertThat(all).hasSize(25).isSorted().isEqualTo(paged);
        assertThat(names("?offset=20")).hasSize(5);
        assertThat(names("?limit=3")).hasSize(3);
        assertThat(names("?offset=9223372036854775807&limit=9223372036854775807"))
                .isEmpty();
    }

    private void writeQuietly(String path) {
        try {
            write(path);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void weirsReaderReadsWhatIsServed() throws Exception {
        IntStream.range(0, 25).forEach(i -> writeQuietly("f" + i));
        addDirectory();
        dsm.addStorage("s1", "https://store.example/spd");

        try (DsmReader reader = new DsmReader(DsmReaderOptions.at(dsm.url()))) {
            assertThat(reader.page("d", 20, 10).get().data()).hasSize(5);
            assertThat(reader.page("d", 0, 10).get().total()).isEqualTo(25);
            assertThat(reader.storageUrl("s1").get()).isEqualTo("https://store.example/spd");
            assertThatThrownBy(() -> reader.page("absent", 0, 10).get()).hasMessageContaining("does not know");
        }
    }

    @Test
    void linksOutOfTheDirectoryAreNotServed() throws Exception {
        Path outside = Files.createTempFile("outside", ".txt");
        write("real.txt", "sub/x.txt");
        Files.createSymbolicLink(directory.resolve("inner.txt"), directory.resolve("real.txt"));
        Files.createSymbolicLink(directory.resolve("secret.txt"), outside);
        Files.createSymbolicLink(directory.resolve("root"), Path.of("/"));
        Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nowhere"));
        addDirectory();
        Files.delete(outside);

        assertThat(names("")).containsExactly("inner.txt", "real.txt", "x.txt");
    }

    @Test
    void registeringTheSameDirectoryAgainDoesNothingAndOtherFilesAreAConflict() throws Exception {
        write("a", "b");
        addDirectory();
        addDirectory();
        assertThat(names("")).containsExactly("a", "b");

        write("c");

        assertThatThrownBy(this::addDirectory).isInstanceOf(DatasetConflict.class);
        assertThat(post("/dataset", Map.of("uid", "d", "directory", directory.toString()))
                        .statusCode())
                .isEqualTo(409);
        assertThat(names("")).containsExactly("a", "b");
    }

    @Test
    void theCatalogueOutlivesTheServer() throws Exception {
        write("a");
        addDirectory();
        dsm.close();

        dsm = DsmServer.start(options());

        assertThat(names("")).containsExactly("a");
    }

    @Test
    void datasetsAreRegisteredOverHttp() throws Exception {
        write("sub/a");
        assertThat(post(
                                "/dataset",
                                Map.of(
                                        "uid",
                                        "d",
                                        "directory",
                                        directory.resolve("sub").toString()))
                        .statusCode())
                .isEqualTo(201);
        FileInfo told = new FileInfo("f", "https://s.example", "p", 5L, "sha256:00", null, null, null);
        assertThat(post("/dataset", Map.of("uid", "list", "files", List.of(told)))
                        .statusCode())
                .isEqualTo(201);

        assertThat(names("")).containsExactly("a");
        assertThat(get("/dataset/list").body()).contains("\"storage_url\":\"https://s.example\"");
        assertThat(get("/dataset/list/status").body()).contains("\"state\":\"closed\"", "\"files\":1");
    }

    @Test
    void directoriesThatWereNotAllowedCannotBeRegisteredOverHttp() throws Exception {
        Files.createSymbolicLink(directory.resolve("etc"), Path.of("/etc"));

        assertThat(post("/dataset", Map.of("uid", "x", "directory", "/etc")).statusCode())
                .isEqualTo(403);
        assertThat(post("/dataset", Map.of("uid", "x", "directory", directory + "/../../etc"))
                        .statusCode())
                .isBetween(400, 403);
        assertThat(post("/dataset", Map.of("uid", "x", "directory", directory + "/etc"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(get("/dataset/x").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{\"uid\":\"x\"}",
                "{\"directory\":\"/tmp\"}",
                "{\"uid\":\"../x\",\"files\":[]}",
                "{\"uid\":\"x\",\"files\":[{\"name\":\"a/b\",\"storage_url\":\"file:///s\"}]}",
                "{\"uid\":\"x\",\"files\":[{\"name\":\"a\",\"storage_url\":\"file:///s\",\"path\":\"../..\"}]}",
                "{\"uid\":\"x\",\"files\":[],\"directory\":\"/tmp\"}",
                "{\"uid\":\"x\",\"directory\":\"/no/such/directory\"}",
                "{\"uid\":\"x\",\"directory\":\"a\\u0000b\"}",
                "{\"uid\":\"x\",\"files\":[{\"name\":\"a\",\"storage_url\":\"file:///a\\u0000b\"}]}"
            })
    void aBadDatasetIsRefusedWithAProblemDocument(String body) throws Exception {
        HttpResponse<String> answer = post("/dataset", body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(Json.mapper().readTree(answer.body()).get("detail").textValue())
                .isNotBlank();
    }

    @Test
    void whatACompleteDatasetCannotKeepIsRefusedByName() throws Exception {
        String plain = "{\"name\":\"b\",\"storage_url\":\"file:///s\",\"type\":\"file\"";
        Map<String, String> refused = Map.of(
                "files[1]",
                "null",
                "files[1].priority",
                plain + ",\"priority\":5}",
                "files[1].groups",
                plain + ",\"groups\":[\"host:s\"]}",
                "files[1].type",
                "{\"name\":\"b\",\"storage_url\":\"file:///s\",\"type\":\"log\"}");
        for (Map.Entry<String, String> one : refused.entrySet()) {
            HttpResponse<String> answer =
                    post("/dataset", "{\"uid\":\"x\",\"files\":[" + plain + "}," + one.getValue() + "]}");

            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(Json.mapper().readTree(answer.body()).get("field").textValue())
                    .isEqualTo(one.getKey());
        }
        assertThat(get("/dataset/x").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"offset=-1", "limit=0", "limit=x", "offset=1e3", "type=directory", "offset=99999999999999999999"
            })
    void aBadQueryIsRefused(String query) throws Exception {
        write("a");
        addDirectory();

        assertThat(get("/dataset/d?" + query).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/dataset/absent", "/dataset/absent/status", "/storage/absent", "/nothing", "/dataset/a%00b"})
    void whatIsNotThereIsNotFoundOrRefused(String path) throws Exception {
        HttpResponse<String> answer = get(path);

        assertThat(answer.statusCode()).isBetween(400, 404);
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain, , 415",
        "application/x-www-form-urlencoded, , 415",
        "application/json, https://elsewhere.example, 403",
        "application/json, null, 403",
        "application/json; charset=utf-8, , 201"
    })
    void aWebPageOfOthersCannotHaveABrowserRegisterAnything(String type, String origin, int status) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(dsm.url() + "/storage"))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString("{\"id\":\"s1\",\"url\":\"file:///data\"}"));
        if (origin != null) {
            request.header("Origin", origin);
        }

        assertThat(HTTP.send(request.build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(status);
        assertThat(get("/storage/s1").statusCode()).isEqualTo(status == 201 ? 200 : 404);
    }

    @Test
    void aStorageIsAddedAndFound() throws Exception {
        assertThat(post("/storage", Map.of("id", "s1", "url", "file:///data")).statusCode())
                .isEqualTo(201);
        assertThat(get("/storage/s1").body()).isEqualTo("{\"id\":\"s1\",\"url\":\"file:///data\"}");
        assertThat(post("/storage", Map.of("id", "s1", "url", "nowhere")).statusCode())
                .isEqualTo(400);
        assertThat(post("/storage", Map.of("id", "s\0", "url", "file:///data")).statusCode())
                .isEqualTo(400);
    }

    @Test
    void anEmptyDirectoryIsAnEmptyDataset() throws Exception {
        addDirectory();

        assertThat(get("/dataset/d").body()).isEqualTo("{\"total\":0,\"data\":[]}");
    }

    @Test
    void aDatabaseThatBreaksConnectionsIsReachedAgain() throws Exception {
        write("a");
        addDirectory();

        database.breakConnections();

        await().until(() -> get("/dataset/d").statusCode() == 200);
        assertThat(names("")).containsExactly("a");
    }
}
