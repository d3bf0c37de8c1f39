package dev.weir.job.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Users copy the example of a rule from the text of its option. */
class RuleExamplesTest {

    static Stream<Arguments> options() {
        return Stream.of(
                arguments(SchedulingOptions.ERROR_RULES, (Function<List<String>, ?>) RuleText::errorRules),
                arguments(SchedulingOptions.GROUP_RULES, (Function<List<String>, ?>) RuleText::groupRules),
                arguments(SchedulingOptions.GROUP_LIMITS, (Function<List<String>, ?>) RuleText::groupLimits));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void everyExampleInTheTextOfAnOptionIsARule(ConfigOption<?> option, Function<List<String>, ?> parser) {
        List<String> words =
                List.of(new HtmlFormatter().format(option.description()).split("\\s+"));
        List<String> examples = words.stream()
                .map(word -> word.replaceAll("[.,]$", ""))
                .filter(word -> word.matches("[^\\[]+,[^\\[]+=[^\\[]+"))
                .toList();

        assertThat(examples).as(words.toString()).isNotEmpty();
        assertThat(words).as("no word is torn apart").noneMatch(word -> word.endsWith("-"));
        for (String example : examples) {
            assertThat(parser.apply(List.of(example))).isNotNull();
        }
    }
}
