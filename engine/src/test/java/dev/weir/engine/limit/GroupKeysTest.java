package dev.weir.engine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupKeysTest {

    private static GroupKeys keys(GroupRule... rules) {
        return new GroupKeys(new LimitOptions(List.of(rules), Map.of("own", GroupLimit.inFlight(9))));
    }

    @Test
    void eachRegularExpressionHasGroupsAndALimitOfItsOwn() {
        GroupKeys keys = keys(
                new GroupRule(GroupRule.Kind.REGEX, Pattern.compile("site-([0-9]+)"), GroupLimit.inFlight(5)),
                new GroupRule(GroupRule.Kind.REGEX, Pattern.compile("svc-([a-z0-9]+)"), GroupLimit.inFlight(1)));

        assertThat(keys.of("http://h/site-7/svc-7", List.of(), List.of())).containsExactly("re:7", "re2:7");
        assertThat(keys.limit("re:7")).isEqualTo(GroupLimit.inFlight(5));
        assertThat(keys.limit("re2:7")).isEqualTo(GroupLimit.inFlight(1));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "http://Store7.example:8080/a/b, host:store7.example, -",
                "https://user:pw@10.1.2.3/x, host:10.1.2.3, net:10.1.2.0/24",
                "http://[2001:db8:7::1]:80/x, host:2001:db8:7::1, net:2001:db8:7::/48",
                "http://[::ffff:10.1.2.3]/x, host:::ffff:10.1.2.3, net:10.1.2.0/24",
                "http://[::FFFF:a01:2fe]/x, host:::ffff:a01:2fe, net:10.1.2.0/24",
                "http://[0:0:0:0:0:ffff:c0a8:ff01]/x, host:0:0:0:0:0:ffff:c0a8:ff01, net:192.168.255.0/24",
                "http://[::10.1.2.3]/x, host:::10.1.2.3, net:0:0:0::/48",
                "http://[::1:ffff:a01:203]/x, host:::1:ffff:a01:203, net:0:0:0::/48",
                "http://[2001:db8::]/x, host:2001:db8::, net:2001:db8:0::/48",
                "10.20.30.40, host:10.20.30.40, net:10.20.30.0/24",
                "2001:DB8:7::5, host:2001:db8:7::5, net:2001:db8:7::/48",
                "2001:db8:7::5/a/b, host:2001:db8:7::5, net:2001:db8:7::/48",
                "::ffff:10.1.2.3/a, host:::ffff:10.1.2.3, net:10.1.2.0/24",
                "12:30/a, -, -",
                "file:///a/b, -, -",
                "http://300.1.2.3/x, host:300.1.2.3, -",
                "http://[1:2:3]/x, host:1:2:3, -",
                "relative/path, -, -",
                "http://h, host:h, -",
                "http://h?q=/x, host:h, -",
                "http://h#f, host:h, -",
                "http://:80/x, -, -",
                "http://[1::2/x, -, -",
                "10.20.30.40/a/b, host:10.20.30.40, net:10.20.30.0/24",
                "http://1.x.2.3/x, host:1.x.2.3, -",
                "http://1.2.3.256/x, host:1.2.3.256, -",
                "http://1.2.3.0004/x, host:1.2.3.0004, -",
                "http://1.2.3/x, host:1.2.3, -",
                "http://[a:B:c:d:e:f:7:8]/x, host:a:b:c:d:e:f:7:8, net:a:b:c::/48",
                "http://[1::2:3:4:5:6:7]/x, host:1::2:3:4:5:6:7, net:1:0:2::/48",
                "http://[1:2::3:4:5:6:7:8]/x, host:1:2::3:4:5:6:7:8, -",
                "http://[::1:2:3:4:5:6:7]/x, host:::1:2:3:4:5:6:7, net:0:1:2::/48",
                "http://[1:2:3:4:5:6:7:8:9]/x, host:1:2:3:4:5:6:7:8:9, -",
                "http://[fe80::1%eth0]/x, host:fe80::1%eth0, net:fe80:0:0::/48",
                "http://[12345::1]/x, host:12345::1, -",
            })
    void theHostAndTheNetworkOfAUrlAreGroups(String url, String host, String network) {
        List<String> of = keys(
                        new GroupRule(GroupRule.Kind.HOST, null, null),
                        new GroupRule(GroupRule.Kind.NETWORK, null, null))
                .of(url, List.of(), List.of());

        assertThat(of)
                .isEqualTo(java.util.stream.Stream.of(host, network)
                        .filter(java.util.Objects::nonNull)
                        .toList());
    }

    @Test
    void aRegularExpressionGivesItsGroupOrTheWholeMatch() {
        assertThat(keys(new GroupRule(GroupRule.Kind.REGEX, Pattern.compile("/run(\\d+)/"), null))
                        .of("file:///x/run17/f", List.of(), List.of()))
                .containsExactly("re:17");
        assertThat(keys(new GroupRule(GroupRule.Kind.REGEX, Pattern.compile("run\\d+"), null))
                        .of("file:///x/run17/f", List.of(), List.of()))
                .containsExactly("re:run17");
    }

    /** Java's own expressions overflow the stack at the first of these and never end at the second. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongPathAndAPatternWithManyWaysToMatchCostLittle() {
        String url = "file:///" + "a".repeat(20_000) + "!";

        assertThat(keys(new GroupRule(GroupRule.Kind.REGEX, Pattern.compile("/((?:a|b)*)!"), null))
                        .of(url, List.of(), List.of()))
                .singleElement()
                .asString()
                .startsWith("re:" + "a".repeat(200));
        assertThat(keys(new GroupRule(GroupRule.Kind.REGEX, Pattern.compile("(a+)+$"), null))
                        .of(url, List.of(), List.of()))
                .isEmpty();
    }

    @Test
    void givenGroupsComeFirstAndOnce() {
        assertThat(keys(new GroupRule(GroupRule.Kind.HOST, null, null))
                        .of("http://h/f", List.of("a", "b"), List.of("b", "host:h")))
                .containsExactly("a", "b", "host:h");
    }

    @Test
    void aGroupHasItsOwnLimitElseTheOneOfItsRuleElseNone() {
        GroupKeys keys = keys(new GroupRule(GroupRule.Kind.HOST, null, GroupLimit.inFlight(4)));

        assertThat(keys.limit("own").maxInFlight()).isEqualTo(9);
        assertThat(keys.limit("host:x").maxInFlight()).isEqualTo(4);
        assertThat(keys.limit("other")).isEqualTo(GroupLimit.NONE);
    }

    @Test
    void aLongNameIsCutAndStaysApartFromOthersThatBeginAlike() {
        GroupKeys keys = keys(new GroupRule(GroupRule.Kind.HOST, null, null));
        List<String> one = keys.of("http://" + "h".repeat(4_000) + "1/f", List.of(), List.of());
        List<String> other = keys.of("http://" + "h".repeat(4_000) + "2/f", List.of(), List.of());

        assertThat(one.get(0)).startsWith("host:hhh").hasSizeLessThanOrEqualTo(256);
        assertThat(other).isNotEqualTo(one);
        assertThat(keys.of("http://" + "h".repeat(4_000) + "1/g", List.of(), List.of()))
                .isEqualTo(one);
    }
}
