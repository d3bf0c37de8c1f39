package dev.weir.bench.chart;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws one {@link Chart}: frame, ticks, data, legend. Used once. */
final class SvgDrawing {

    private static final int WIDTH = 860;
    private static final int LEFT = 84;
    private static final int RIGHT = 24;
    private static final int TOP = 52;
    private static final int PLOT_HEIGHT = 320;
    private static final int BELOW_PLOT = 64;
    private static final int LEGEND_LINE = 20;
    /** The palette of Okabe and Ito, distinguishable with colour blindness. */
    private static final List<String> COLOURS =
            List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000");

    private final Chart chart;
    private final Axis x;
    private final Axis y;
    private final StringBuilder svg = new StringBuilder();

    SvgDrawing(Chart chart) {
        this.chart = chart;
        this.x = chart.xAxis();
        this.y = chart.yAxis();
    }

    String draw() {
        int entries = chart.series().size() + chart.marks().size();
        int height = TOP + PLOT_HEIGHT + BELOW_PLOT + entries * LEGEND_LINE + 12;
        append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                        + "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" role=\"img\">",
                WIDTH, height, WIDTH, height);
        append("<title>%s</title>", escape(chart.title()));
        append("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, height);
        append("<text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\">%s</text>", LEFT, escape(chart.title()));
        yTicks();
        xTicks();
        if (chart.isBars()) {
            bars();
        } else {
            lines();
        }
        marks();
        legend();
        svg.append("</svg>\n");
        return svg.toString();
    }

    private void yTicks() {
        for (double tick : y.ticks()) {
            append(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
                    LEFT, pageY(tick), WIDTH - RIGHT, pageY(tick));
            append(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT - 8, pageY(tick) + 4.5, Axis.text(tick));
        }
        double middle = TOP + PLOT_HEIGHT / 2.0;
        append(
                "<text transform=\"translate(20 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                middle, escape(y.label()));
    }

    private void xTicks() {
        int bottom = TOP + PLOT_HEIGHT;
        append(
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#333333\"/>",
                LEFT, bottom, WIDTH - RIGHT, bottom);
        append("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#333333\"/>", LEFT, TOP, LEFT, bottom);
        if (chart.isBars()) {
            for (int i = 0; i < chart.categories().size(); i++) {
                xLabel(i, chart.categories().get(i));
            }
        } else {
            x.ticks().forEach(tick -> xLabel(tick, Axis.text(tick)));
        }
        append(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + WIDTH - RIGHT) / 2.0, bottom + 46, escape(x.label()));
    }

    private void xLabel(double value, String text) {
        append(
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                pageX(value), TOP + PLOT_HEIGHT + 20, escape(text));
    }

    private void lines() {
        for (int i = 0; i < chart.series().size(); i++) {
            String path = chart.series().get(i).points().stream()
                    .map(point -> format("%.1f,%.1f", pageX(point.x()), pageY(point.y())))
                    .collect(Collectors.joining(" "));
            append("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, colour(i));
            for (Series.Point point : chart.series().get(i).points()) {
                append(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>",
                        pageX(point.x()), pageY(point.y()), colour(i));
            }
        }
    }

    private void bars() {
        int groups = chart.series().size();
        double step = (WIDTH - LEFT - RIGHT) / (double) chart.categories().size();
        double width = step * 0.8 / groups;
        double base = y.logarithmic() ? y.low() : 0;
        for (int i = 0; i < groups; i++) {
            for (Series.Point point : chart.series().get(i).points()) {
                double left = pageX(point.x()) - step * 0.4 + i * width;
                double top = Math.min(pageY(point.y()), pageY(base));
                double tall = Math.abs(pageY(point.y()) - pageY(base));
                append(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                        left, top, width * 0.94, tall, colour(i));
                append(
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"11\">%s</text>",
                        left + width / 2, top - 4, Axis.roundedText(point.y()));
            }
        }
    }

    private void marks() {
        for (Chart.Mark mark : chart.marks()) {
            append(
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#555555\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"/>",
                    LEFT, pageY(mark.y()), WIDTH - RIGHT, pageY(mark.y()));
        }
    }

    private void legend() {
        int line = TOP + PLOT_HEIGHT + BELOW_PLOT + 8;
        for (int i = 0; i < chart.series().size(); i++, line += LEGEND_LINE) {
            append("<rect x=\"%d\" y=\"%d\" width=\"22\" height=\"10\" fill=\"%s\"/>", LEFT, line - 10, colour(i));
            append(
                    "<text x=\"%d\" y=\"%d\">%s</text>",
                    LEFT + 30, line, escape(chart.series().get(i).name()));
        }
        for (Chart.Mark mark : chart.marks()) {
            append(
                    "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#555555\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"/>",
                    LEFT, line - 5, LEFT + 22, line - 5);
            append("<text x=\"%d\" y=\"%d\">%s</text>", LEFT + 30, line, escape(mark.name()));
            line += LEGEND_LINE;
        }
    }

    private double pageX(double value) {
        return LEFT + x.position(value) * (WIDTH - LEFT - RIGHT);
    }

    private double pageY(double value) {
        return TOP + (1 - y.position(value)) * PLOT_HEIGHT;
    }

    private static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }

    private void append(String format, Object... values) {
        svg.append(format(format, values)).append('\n');
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
