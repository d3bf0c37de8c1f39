package dev.weir.cli.embedded;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Where the parts of a running Weir are, as {@code ./weir up --json} prints them; null for what is not there.
 *
 * @param amqp with user and password, and so is {@code postgres}
 * @param token for the gateway
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Addresses(String gateway, String flink, String amqp, String postgres, String dsm, String token) {}
