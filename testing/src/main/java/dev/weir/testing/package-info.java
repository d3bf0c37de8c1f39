/**
 * Shared by the tests of several modules: a database and a broker for one test, removed after it.
 *
 * <p>The order of services: the one named by {@code WEIR_PG_URL} or {@code WEIR_AMQP_URL}, one on the local default port, an
 * embedded one. With {@code WEIR_REQUIRE_SERVICES=1} there is no fallback to embedded services: a missing real
 * service fails the test.
 */
package dev.weir.testing;
