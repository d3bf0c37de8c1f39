package dev.weir.gateway.mirror;

import java.util.List;
import java.util.Map;

/**
 * Some entries of a list.
 *
 * @param next where the next page begins; null at the end
 */
public record Page(List<Map<String, Object>> data, String next) {}
