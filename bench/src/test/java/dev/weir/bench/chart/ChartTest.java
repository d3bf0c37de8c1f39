package dev.weir.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ChartTest {

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void aLineChartIsWellFormedAndNamesItsAxesAndSeries() throws Exception {
        String svg = Chart.lines("Time & <load>", "virtual chunks", "seconds")
                .logarithmicX()
                .add(Series.line("compatible", new double[] {1e4, 1e6, 1e7}, new double[] {0.1, 0.9, 4.5}))
                .mark("goal: 5 s", 5)
                .toSvg();

        Document document = parse(svg);
        assertThat(document.getDocumentElement().getTextContent())
                .contains("Time & <load>", "virtual chunks", "seconds", "compatible", "goal: 5 s", "10 M");
        assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(1);
    }

    @Test
    void barsStandAboveZeroAndEachCategoryHasOneForEverySeries() throws Exception {
        String svg = Chart.bars("Churn", "what changed", "share moved", List.of("leave", "join"))
                .add(Series.bars("compatible", 0.1, 0.2))
                .add(Series.bars("full", 0.05, 0.07))
                .toSvg();

        int background = 1;
        int legend = 2;
        assertThat(parse(svg).getElementsByTagName("rect").getLength()).isEqualTo(background + legend + 4);
    }

    @Test
    void aSeriesThatDoesNotMatchTheCategoriesIsRefused() {
        Chart chart = Chart.bars("Churn", "x", "y", List.of("a", "b"));

        assertThatThrownBy(() -> chart.add(Series.bars("one", 1))).hasMessageContaining("1 values for 2 categories");
    }

    @Test
    void ticksAreRoundNumbersThatCoverTheValues() {
        Axis axis = Axis.around("s", false, true, new double[] {0.3, 4.7});

        assertThat(axis.ticks()).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0);
    }

    @Test
    void labelsOnBarsHaveThreeSignificantDigits() {
        assertThat(Axis.roundedText(105.487781)).isEqualTo("105");
        assertThat(Axis.roundedText(0.0014567)).isEqualTo("0.00146");
        assertThat(Axis.roundedText(12_345_678)).isEqualTo("12.3 M");
        assertThat(Axis.roundedText(0)).isEqualTo("0");
    }

    @Test
    void aLogarithmicAxisRefusesZero() {
        assertThatThrownBy(() -> Axis.around("s", true, false, new double[] {0, 1}))
                .hasMessageContaining("can't show");
    }
}
