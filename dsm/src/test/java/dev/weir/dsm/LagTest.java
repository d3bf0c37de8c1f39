package dev.weir.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.dsm.register.RegisterOptions;
import dev.weir.protocol.Names;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A dataset that is not in the catalogue: there may be registrations of it that nobody has taken. */
class LagTest {

    private static HttpResponse<String> get(DsmServer dsm) throws Exception {
        URI address = URI.create(dsm.url() + "/dataset/none");
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }

    @Test
    void aDatasetOfWhichNothingWasSentIsUnknown() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create();
                ScratchBroker broker = ScratchBroker.createEmbedded();
                DsmServer dsm = DsmServer.start(DsmOptions.local(
                        database.jdbcUrl(),
                        database.user(),
                        database.password(),
                        RegisterOptions.at(broker.uri())
                                .withNames(
                                        broker.name(Names.DSM_REGISTER),
                                        broker.name(Names.REJECTED),
                                        broker.name(Names.SEND_REJECTED))))) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(get(dsm).statusCode()).isEqualTo(404));
        }
    }

    @Test
    void beforeTheBrokerIsReachedNothingIsSaidToBeUnknown() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create();
                DsmServer dsm = DsmServer.start(DsmOptions.local(
                        database.jdbcUrl(),
                        database.user(),
                        database.password(),
                        RegisterOptions.at("amqp://127.0.0.1:1")))) {
            HttpResponse<String> answer = get(dsm);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
            assertThat(answer.body()).contains("registrations have not been taken yet");
        }
    }
}
