package dev.weir.scheduler;

import dev.weir.scheduler.command.Answers;
import dev.weir.scheduler.command.Commands;
import dev.weir.scheduler.command.EarlyCommands;
import dev.weir.scheduler.command.FailedRetries;
import dev.weir.scheduler.command.TaskCommands;
import dev.weir.scheduler.job.Adoption;
import dev.weir.scheduler.job.AttemptOutcome;
import dev.weir.scheduler.job.CheckList;
import dev.weir.scheduler.job.Completion;
import dev.weir.scheduler.job.Dispatch;
import dev.weir.scheduler.job.FailedJobs;
import dev.weir.scheduler.job.InFlight;
import dev.weir.scheduler.job.Overdue;
import dev.weir.scheduler.job.Reports;
import dev.weir.scheduler.job.TaskRank;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.pilot.NodeHealth;
import dev.weir.scheduler.pilot.Notices;
import dev.weir.scheduler.pilot.PilotRegistry;
import dev.weir.scheduler.task.Admission;
import dev.weir.scheduler.task.Closure;
import dev.weir.scheduler.task.DatasetReading;
import dev.weir.scheduler.task.EarlyStop;
import dev.weir.scheduler.task.Intake;
import dev.weir.scheduler.task.SetAside;
import dev.weir.scheduler.task.TaskEvents;
import dev.weir.scheduler.view.GroupRows;
import dev.weir.scheduler.view.Metrics;
import dev.weir.scheduler.view.MirrorRows;

/** Creates and connects the parts of a lane. Each part gets only the parts that it calls, so each stands after the parts that it calls. */
final class Parts {

    final GroupRows groupRows;
    final MirrorRows rows;
    final Metrics metrics;
    final WaitingFiles files;
    final NodeHealth nodes;
    final PilotRegistry pilots;
    final Dispatch dispatch;
    final InFlight inFlight;
    final Overdue overdue;
    final AttemptOutcome outcomes;
    final Reports reports;
    final Admission admission;
    final EarlyStop stops;
    final SetAside setAside;
    final DatasetReading reading;
    final Closure closure;
    final Intake intake;
    final FailedRetries retries;
    final Answers answers;
    final EarlyCommands earlyCommands;
    final Commands commands;

    Parts(Lane lane) {
        groupRows = new GroupRows(lane);
        rows = new MirrorRows(lane, groupRows);
        metrics = new Metrics(lane);
        files = new WaitingFiles(lane);

        Notices notices = new Notices(lane);
        nodes = new NodeHealth(lane);
        pilots = new PilotRegistry(lane, nodes, notices);

        CheckList checkList = new CheckList(lane);
        FailedJobs failedJobs = new FailedJobs(lane);
        TaskRank ranks = new TaskRank(lane);
        inFlight = new InFlight(lane, pilots);
        dispatch = new Dispatch(lane, files, inFlight, ranks, failedJobs);
        Completion completion = new Completion(lane, inFlight, notices, checkList, failedJobs);
        overdue = new Overdue(lane, inFlight, notices);
        outcomes = new AttemptOutcome(lane, inFlight, completion, pilots, nodes);
        Adoption adoption = new Adoption(lane, files, inFlight, dispatch, failedJobs);
        reports = new Reports(lane, pilots, notices, inFlight, outcomes, adoption);

        TaskEvents events = new TaskEvents(lane);
        admission = new Admission(lane, events);
        stops = new EarlyStop(lane, events, admission, files, completion);
        setAside = new SetAside(lane, admission);
        reading = new DatasetReading(lane, admission, stops, ranks, files);
        closure = new Closure(lane, events, admission, files, checkList, failedJobs);
        intake = new Intake(lane, events, admission, reading, ranks);

        answers = new Answers(lane);
        earlyCommands = new EarlyCommands(lane, answers);
        retries = new FailedRetries(lane, failedJobs, adoption);
        TaskCommands taskCommands = new TaskCommands(lane, events, admission, setAside, stops, ranks, files, retries);
        commands = new Commands(lane, taskCommands, earlyCommands, pilots, answers);
    }
}
