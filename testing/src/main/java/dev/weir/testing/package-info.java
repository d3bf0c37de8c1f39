/**
 * What tests of several modules share: a database and a broker that belong to one test and are gone after it.
 *
 * <p>Services are taken in this order: the one that {@code WEIR_PG_URL} or {@code WEIR_AMQP_URL} names, the one that answers on
 * this machine's standard port, an embedded one. With {@code WEIR_REQUIRE_SERVICES=1} the embedded ones do not stand in, and
 * their absence fails the test.
 */
package dev.weir.testing;
