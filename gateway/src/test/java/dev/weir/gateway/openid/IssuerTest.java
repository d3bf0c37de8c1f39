package dev.weir.gateway.openid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.weir.gateway.access.Refusal;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.openid.Issuer.Times;
import dev.weir.gateway.options.OpenIdOptions;
import dev.weir.testing.TestAuthority;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a provider that the test itself is. */
class IssuerTest {

    private TestIssuer provider;
    private Issuer issuer;

    @BeforeEach
    void start() throws Exception {
        provider = new TestIssuer();
        issuer = new Issuer(options("weir_role", List.of("operator=operator", "pilot=pilot")), Times.USUAL);
    }

    @AfterEach
    void stop() {
        issuer.close();
        provider.close();
    }

    private OpenIdOptions options(String roleClaim, List<String> roles) {
        return options(provider, roleClaim, roles, null);
    }

    private static OpenIdOptions options(TestIssuer of, String roleClaim, List<String> roles, Path authorities) {
        return new OpenIdOptions(
                of.url(), TestIssuer.AUDIENCE, "sub", roleClaim, roles, OpenIdOptions.ScopeClaims.DEFAULT, authorities);
    }

    private static JWTClaimsSet.Builder changed(TestIssuer provider) {
        return new JWTClaimsSet.Builder(provider.claims("anna", Map.of("weir_role", "operator")));
    }

    private void assertRefused(String token, int status, String reason) {
        assertThatThrownBy(() -> issuer.verify(token))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(status))
                .hasMessageContaining(reason)
                .hasMessageNotContaining(token);
    }

    @Test
    void theClaimsNameOwnerRoleAndExpiry() {
        Token token = issuer.verify(provider.token("anna@example.org", Map.of("weir_role", "operator")));

        assertThat(token.name()).isEqualTo("oidc/anna@example.org");
        assertThat(token.role()).isEqualTo(Role.OPERATOR);
        assertThat(token.expires()).isBetween(Instant.now(), Instant.now().plusSeconds(700));
        assertThat(token.owner()).matches("oidc-[0-9a-f]{32}");
        assertThat(issuer.verify(provider.token("a|b:c d*", Map.of("weir_role", List.of("x", "operator"))))
                        .name())
                .isEqualTo("oidc/a%7Cb%3Ac%20d%2A");
    }

    @Test
    void aPilotHasTheScopeOfItsClaimsAndNeedsOne() {
        Token token = issuer.verify(provider.token(
                "site7",
                Map.of("weir_role", "pilot", "weir_pilots", List.of("node7-*"), "weir_pools", List.of("cpu"))));
        assertThat(token.scope().pilots()).containsExactly("node7-*");
        assertThat(token.scope().pools()).containsExactly("cpu");

        assertRefused(provider.token("site7", Map.of("weir_role", "pilot")), 403, "no claim 'weir_pilots'");
        assertRefused(
                provider.token("site7", Map.of("weir_role", "pilot", "weir_pilots", List.of(7))),
                403,
                "'weir_pilots' must be a string or a list of strings");
    }

    @Test
    void rolesMayBeGroupsInsideAnObject() {
        try (Issuer nested =
                new Issuer(options("realm.roles", List.of("grid/admins=operator", "all=viewer")), Times.USUAL)) {
            Object both = Map.of("roles", List.of("all", "grid/admins"));
            assertThat(nested.verify(provider.token("anna", Map.of("realm", both)))
                            .role())
                    .isEqualTo(Role.OPERATOR);
            assertThat(nested.verify(provider.token("anna", Map.of("realm", Map.of("roles", "some all"))))
                            .role())
                    .isEqualTo(Role.VIEWER);
        }
        assertThatThrownBy(() -> new Issuer(options("r", List.of("x=root")), Times.USUAL))
                .hasMessageContaining("oidc-roles");
    }

    @Test
    void whatIsNotValidIsRefusedWithAReason() throws Exception {
        Date past = Date.from(Instant.now().minusSeconds(60));
        assertRefused(provider.sign(changed(provider).expirationTime(past).build()), 401, "Expired");
        assertRefused(provider.sign(changed(provider).expirationTime(null).build()), 401, "exp");
        assertRefused(
                provider.sign(changed(provider)
                        .notBeforeTime(Date.from(Instant.now().plusSeconds(60)))
                        .build()),
                401,
                "before use time");
        assertRefused(provider.sign(changed(provider).audience("other").build()), 401, "aud");
        assertRefused(
                provider.sign(changed(provider).issuer("https://other.example").build()), 401, "iss");
        assertRefused(provider.token("anna", Map.of()), 403, "has no role here");
        assertRefused(provider.token("anna", Map.of("weir_role", "root")), 403, "has no role here");
        assertRefused("a.b.c", 401, "neither one of this gateway nor a JWT");
    }

    @Test
    void aTokenOfTheLastSecondsIsStillTakenBecauseClocksDiffer() {
        Date justNow = Date.from(Instant.now().minusSeconds(10));
        assertThat(issuer.verify(provider.sign(
                                changed(provider).expirationTime(justNow).build()))
                        .expires())
                .isAfter(Instant.now());
    }

    @Test
    void onlySignaturesOfTheIssuersKeysCount() throws Exception {
        JWTClaimsSet claims = changed(provider).build();
        assertRefused(new PlainJWT(claims).serialize(), 401, "its algorithm is none");
        SignedJWT shared = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                        .keyID(provider.keyId())
                        .build(),
                claims);
        shared.sign(new MACSigner(provider.publicKey().getEncoded()));
        assertRefused(shared.serialize(), 401, "its algorithm is HS256");
        try (TestIssuer other = new TestIssuer()) {
            assertRefused(other.signAs(provider.keyId(), claims), 401, "signature");
            assertRefused(other.sign(claims), 401, "does not have");
        }
    }

    @Test
    void aNewKeyOfTheIssuerIsTakenAtOnce() throws Exception {
        issuer.verify(provider.token("anna", Map.of("weir_role", "operator")));
        provider.rotate();
        assertThat(issuer.verify(provider.token("anna", Map.of("weir_role", "operator")))
                        .role())
                .isEqualTo(Role.OPERATOR);
    }

    @Test
    void withoutTheIssuerItsKnownKeysCountForSomeTime() {
        String token = provider.token("anna", Map.of("weir_role", "operator"));
        Times brief = new Times(Duration.ofMillis(50), Duration.ZERO, Duration.ofSeconds(2), Duration.ofMillis(1));
        try (Issuer forgetful = new Issuer(options("weir_role", List.of("operator=operator")), brief)) {
            forgetful.verify(token);
            provider.away(true);
            int before = provider.refused();
            await().until(() -> {
                assertThat(forgetful.verify(token).role()).isEqualTo(Role.OPERATOR);
                return provider.refused() > before;
            });
            await().atMost(Duration.ofSeconds(20)).until(() -> isAway(forgetful, token));
            provider.away(false);
            await().atMost(Duration.ofSeconds(20)).until(() -> !isAway(forgetful, token));
        }
    }

    private static boolean isAway(Issuer issuer, String token) {
        try {
            issuer.verify(token);
            return false;
        } catch (Refusal e) {
            return e.status() == 503;
        }
    }

    @Test
    void theCertificateOfTheIssuerMayBeOfAnAuthorityInAFileAndThenOfNoOther(@TempDir Path directory) throws Exception {
        TestAuthority authority = new TestAuthority();
        Path ca = directory.resolve("ca.pem");
        authority.writeCertificate(ca);
        Path other = directory.resolve("other.pem");
        new TestAuthority().writeCertificate(other);
        List<String> roles = List.of("operator=operator");
        try (TestIssuer secure = new TestIssuer(authority.server());
                Issuer trusting = new Issuer(options(secure, "weir_role", roles, ca));
                Issuer usual = new Issuer(options(secure, "weir_role", roles, null));
                Issuer wrong = new Issuer(options(secure, "weir_role", roles, other))) {
            String token = secure.token("anna", Map.of("weir_role", "operator"));
            assertThat(trusting.verify(token).role()).isEqualTo(Role.OPERATOR);
            assertThat(isAway(usual, token)).isTrue();
            assertThat(isAway(wrong, token)).isTrue();
            Path none = directory.resolve("none.pem");
            assertThatThrownBy(() -> new Issuer(options(secure, "weir_role", roles, none)))
                    .hasMessageContaining("oidc-ca-file")
                    .hasMessageContaining("none.pem");
        }
    }

    @Test
    void aProviderInPlainHttpElsewhereAndATokenForAnybodyAreNoOptions() {
        assertThatThrownBy(() -> new OpenIdOptions(
                        URI.create("http://id.example"),
                        "weir",
                        "sub",
                        "r",
                        List.of(),
                        OpenIdOptions.ScopeClaims.DEFAULT,
                        null))
                .hasMessageContaining("https:");
        assertThatThrownBy(() -> new OpenIdOptions(
                        URI.create("https://id.example"),
                        null,
                        "sub",
                        "r",
                        List.of(),
                        OpenIdOptions.ScopeClaims.DEFAULT,
                        null))
                .hasMessageContaining("oidc-audience");
    }
}
