package dev.weir.gateway.pilots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.Notice;
import java.util.List;

/**
 * What a pilot gets.
 *
 * @param job as it came, so that fields that this gateway does not know reach the pilot; null for none
 * @param pool of the job; null without one
 * @param redelivered whether a pilot may have been given the job before; null without one
 * @param notices for the pilot, oldest first
 */
public record Taken(JsonNode job, String pool, Boolean redelivered, List<Notice> notices) {}
