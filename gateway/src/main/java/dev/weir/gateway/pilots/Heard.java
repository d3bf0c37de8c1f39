package dev.weir.gateway.pilots;

import dev.weir.protocol.Notice;
import java.util.List;

/** The broker has all reports; these notices are for the pilot, oldest first. */
public record Heard(List<Notice> notices) {}
