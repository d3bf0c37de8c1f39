package dev.weir.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CommandTest {

    private static final Instant AT = Instant.parse("2026-03-01T12:00:00.5Z");
    private static final String HEAD = "{'id':'c1','at':'2026-03-01T12:00:00.500Z','by':'ann','type':";

    static Stream<Arguments> commands() {
        return Stream.of(
                Arguments.of(ofTask(Command.Type.CANCEL), HEAD + "'cancel','task_uid':'t'}"),
                Arguments.of(ofTask(Command.Type.PAUSE), HEAD + "'pause','task_uid':'t'}"),
                Arguments.of(ofTask(Command.Type.RESUME), HEAD + "'resume','task_uid':'t'}"),
                Arguments.of(ofTask(Command.Type.CLOSE), HEAD + "'close','task_uid':'t'}"),
                Arguments.of(ofTask(Command.Type.RETRY_FAILED), HEAD + "'retry_failed','task_uid':'t'}"),
                Arguments.of(
                        Command.ofTask("c1", AT, null, Command.Type.CANCEL, "t"),
                        "{'id':'c1','at':'2026-03-01T12:00:00.500Z','type':'cancel','task_uid':'t'}"),
                Arguments.of(Command.rank("c1", AT, "ann", "t", 12), HEAD + "'rank','task_uid':'t','rank':12.0}"),
                Arguments.of(
                        Command.priority("c1", AT, "ann", "t", 7, 3),
                        HEAD + "'priority','task_uid':'t','position':7,'priority':3}"),
                Arguments.of(
                        Command.limit("c1", AT, "ann", "host:s", 5, 10, 60),
                        HEAD + "'limit','group':'host:s','max_in_flight':5,'max_starts':10,'window_s':60}"),
                Arguments.of(
                        Command.limit("c1", AT, "ann", "host:s", 5, null, null),
                        HEAD + "'limit','group':'host:s','max_in_flight':5}"),
                Arguments.of(Command.lift("c1", AT, "ann", "host:s"), HEAD + "'limit','group':'host:s','lift':true}"),
                Arguments.of(ofPool(Command.Type.POOL_PAUSE), HEAD + "'pool_pause','pool':'cpu'}"),
                Arguments.of(ofPool(Command.Type.POOL_RESUME), HEAD + "'pool_resume','pool':'cpu'}"),
                Arguments.of(ofPool(Command.Type.POOL_DRAIN), HEAD + "'pool_drain','pool':'cpu'}"),
                Arguments.of(ofPilot(Command.Type.PILOT_DRAIN), HEAD + "'pilot_drain','pilot_id':'p'}"),
                Arguments.of(ofPilot(Command.Type.PILOT_EXCLUDE), HEAD + "'pilot_exclude','pilot_id':'p'}"),
                Arguments.of(ofPilot(Command.Type.PILOT_INCLUDE), HEAD + "'pilot_include','pilot_id':'p'}"));
    }

    private static Command ofTask(Command.Type type) {
        return Command.ofTask("c1", AT, "ann", type, "t");
    }

    private static Command ofPool(Command.Type type) {
        return Command.ofPool("c1", AT, "ann", type, "cpu");
    }

    private static Command ofPilot(Command.Type type) {
        return Command.ofPilot("c1", AT, "ann", type, "p");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasItsFormOnTheWireAndComesBackAsItWas(Command command, String written) {
        assertThat(new String(Json.write(command), UTF_8)).isEqualTo(written.replace('\'', '"'));
        assertThat(Json.read(Json.write(command), Command.class)).isEqualTo(command);
    }

    @Test
    void everyTypeIsAmongThem() {
        Set<Command.Type> written = commands()
                .map(arguments -> ((Command) arguments.get()[0]).type())
                .collect(Collectors.toSet());

        assertThat(written).containsExactlyInAnyOrder(Command.Type.values());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'at':0,'type':'cancel','task_uid':'t'}|id|id is required",
                "{'id':'c','type':'cancel','task_uid':'t'}|at|at is required",
                "{'id':'c','at':0,'task_uid':'t'}|type|type is required",
                "{'id':'c','at':0,'type':'stop'}|type|type must be one of rank, cancel,",
                "{'id':'c','at':0,'type':'cancel'}|task_uid|task_uid is required",
                "{'id':'c','at':0,'type':'cancel','task_uid':7}|task_uid|task_uid must be a string",
                "{'id':'c','at':0,'type':'rank','rank':1e9}|task_uid|task_uid is required",
                "{'id':'c','at':0,'type':'rank','task_uid':'t'}|rank|rank is required",
                "{'id':'c','at':0,'type':'rank','task_uid':'t','rank':1e9}|rank|rank must be from",
                "{'id':'c','at':0,'type':'rank','task_uid':'t','rank':'high'}|rank|rank must be a number",
                "{'id':'c','at':0,'type':'priority','task_uid':'t','priority':1}|position|position is required",
                "{'id':'c','at':0,'type':'priority','task_uid':'t','position':-1}|position|position must not be negative",
                "{'id':'c','at':0,'type':'priority','task_uid':'t','position':1}|priority|priority is required",
                "{'id':'c','at':0,'type':'priority','task_uid':'t','position':1,'priority':0}|priority|priority must be from 1",
                "{'id':'c','at':0,'type':'limit'}|group|group is required",
                "{'id':'c','at':0,'type':'limit','group':'g','max_in_flight':-1}|max_in_flight|max_in_flight must be from 0",
                "{'id':'c','at':0,'type':'limit','group':'g','max_starts':1}|window_s|window_s is required",
                "{'id':'c','at':0,'type':'limit','group':'g','max_starts':1.5}|max_starts|max_starts must be a whole number",
                "{'id':'c','at':0,'type':'limit','group':'g'}||a limit command sets max_in_flight, or max_starts with window_s,",
                "{'id':'c','at':0,'type':'limit','group':'g','max_inflight':3}|max_inflight|max_inflight is no field of a command of type limit; it has id, at, by, type, group, max_in_flight,",
                "{'id':'c','at':0,'type':'limit','group':'g','max_in_flight':3,'max_start':4}|max_start|max_start is no field",
                "{'id':'c','at':0,'type':'limit','group':'g','max_in_flight':3,'window_s':4}|max_starts|window_s needs max_starts",
                "{'id':'c','at':0,'type':'limit','group':'g','lift':false}|lift|lift must be true",
                "{'id':'c','at':0,'type':'limit','group':'g','lift':true,'max_in_flight':3}|lift|lift must be true, and alone",
                "{'id':'c','at':0,'type':'cancel','task_uid':'t','pool':'cpu'}|pool|pool is no field of a command of type cancel",
                "{'id':'c','at':0,'type':'pause','task_uid':'t','more':[1]}|more|more is no field of a command of type pause; it has id, at, by, type, task_uid",
                "{'id':'c','at':0,'type':'pool_drain'}|pool|pool is required",
                "{'id':'c','at':0,'type':'pilot_drain'}|pilot_id|pilot_id is required",
                "7||the message must be a JSON object",
                "[]||the message must be a JSON object"
            })
    void aWrongCommandIsRefusedWithTheFieldAndTheReason(String json, String field, String said) {
        InvalidMessage refused = catchThrowableOfType(
                InvalidMessage.class, () -> Json.read(json.replace('\'', '"').getBytes(UTF_8), Command.class));

        assertThat(refused.field()).isEqualTo(field);
        assertThat(refused).hasMessageStartingWith(said);
    }
}
