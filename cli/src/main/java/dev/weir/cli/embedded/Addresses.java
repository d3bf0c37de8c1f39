package dev.weir.cli.embedded;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The addresses of a running Weir, as {@code ./weir up --json} prints them; null for a part that does not run.
 *
 * @param amqp with user and password, as is {@code postgres}
 * @param token for the gateway, of role operator; a start makes a new one
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Addresses(String gateway, String flink, String amqp, String postgres, String dsm, String token) {}
