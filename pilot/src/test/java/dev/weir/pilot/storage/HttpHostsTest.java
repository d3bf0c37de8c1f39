package dev.weir.pilot.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpHostsTest {

    @Test
    void aHostIsAllowedByItsNameItsPortOrItsDomain() {
        assertThat(allows("store.example", "http://STORE.example/x", "https://store.example:8443/x"))
                .isTrue();
        assertThat(allows("Store.example:443", "https://store.example/x", "http://store.example:443/x"))
                .isTrue();
        assertThat(allows("*.example", "https://a.b.example/x", "http://a.example:1/x"))
                .isTrue();
        assertThat(allows("[::1]:80", "http://[::1]/x")).isTrue();
        assertThat(allows("*", "http://anything/x", "https://[::1]:9/x")).isTrue();
        assertThat(allows("*:443", "https://anything/x")).isTrue();
    }

    @Test
    void allOthersAreRefused() {
        assertThat(allows("store.example", "http://store.example.org/x")).isFalse();
        assertThat(allows("store.example", "http://a.store.example/x")).isFalse();
        assertThat(allows("store.example:443", "http://store.example/x")).isFalse();
        assertThat(allows("*.example", "http://example/x")).isFalse();
        assertThat(allows("*.example", "http://badexample/x")).isFalse();
        assertThat(allows("*:443", "http://169.254.169.254/x")).isFalse();
        assertThat(allows("[::1]", "http://[::2]/x")).isFalse();
    }

    @Test
    void whatIsNoHostIsRefused() {
        for (String host : List.of("", "http://x", "x/y", "a*b", "*.", "user@x", "x:", "x:999999")) {
            assertThatThrownBy(() -> new HttpHosts(List.of(host)))
                    .as(host)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--http-host");
        }
    }

    private static boolean allows(String host, String... urls) {
        HttpHosts hosts = new HttpHosts(List.of(host));
        int allowed = 0;
        for (String url : urls) {
            try {
                hosts.check(URI.create(url), url);
                allowed++;
            } catch (RefusedException e) {
                assertThat(e).hasMessageContaining(url);
            }
        }
        return allowed == urls.length;
    }
}
