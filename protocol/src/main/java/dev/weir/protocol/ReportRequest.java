package dev.weir.protocol;

import java.util.List;

/**
 * A pilot hands reports to the gateway.
 *
 * @param pilotId who sends them, and gets the notices of the answer. The reports may be of other pilots, whose work it took over
 * @param reports oldest first, from 1 to {@link Limits#MAX_REPORTS}; no {@link Beat}
 */
public record ReportRequest(String pilotId, List<Report> reports) {

    public ReportRequest {
        Check.pilot("pilot_id", pilotId);
        reports = Check.copied("reports", Check.required("reports", reports));
        if (reports.isEmpty() || reports.size() > Limits.MAX_REPORTS) {
            throw new InvalidMessage(
                    "reports", "reports must be 1 to " + Limits.MAX_REPORTS + ", got " + reports.size());
        }
        for (int i = 0; i < reports.size(); i++) {
            checkOne("reports[" + i + "]", reports.get(i));
        }
    }

    private static void checkOne(String at, Report report) {
        if (report instanceof Beat) {
            throw new InvalidMessage(at + ".type", at + ".type must be heartbeat, status or result");
        }
        if (report.jobUid() != null) {
            checkRoute(at, report.route());
        }
    }

    /** Weir would refuse it later, when no sender hears of that. */
    private static void checkRoute(String at, String route) {
        try {
            Route.decode(route);
        } catch (InvalidMessage e) {
            throw new InvalidMessage(at + "." + e.field(), at + ": " + e.getMessage(), e);
        }
    }
}
