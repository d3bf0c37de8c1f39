package dev.weir.dsm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.dsm.register.RegisterOptions;
import org.junit.jupiter.api.Test;

class DsmOptionsTest {

    @Test
    void theTextOfOptionsHoldsNoPassword() {
        DsmOptions options = DsmOptions.local(
                "jdbc:postgresql://anna:secret@db/x?password=secret",
                "anna",
                "secret",
                RegisterOptions.at("amqp://anna:secret@broker/%2f"));

        assertThat(options).asString().contains("broker").contains("db/x").doesNotContain("secret");
    }
}
