package dev.weir.protocol.schema;

import java.util.ArrayList;
import java.util.List;

/** A message with each kind of entry and of answer that the protocol page shows no example of. */
final class QueueExamples {

    private static final List<String> ENTRIES = List.of(
            "{'type':'push','n':0,'queue':'q','item':{'key':'k'}}",
            """
            {'type':'push','n':0,'queue':'q','item':{'key':'k','again':{'after_s':60,'min_s':30,'max_s':90,'jitter_s':5},'facts':{'f':1.5}}}""",
            "{'type':'push','n':0,'queue':'q','item':{'key':'k','again':{'every_s':60}}}",
            "{'type':'push','n':0,'queue':'q','item':{'key':'k','again':{'after_s':60}}}",
            "{'type':'push','n':0,'queue':'q','item':{'key':'k','again':{'cron':'0 3 * * *','zone':'Europe/Paris','jitter_s':5}}}",
            """
            {'type':'answer','n':0,'queue':'q','item':{'key':'k'},'start':false,'max_age_ms':1,'stale_ms':1,'wait_ms':0}""",
            "{'type':'score','n':0,'queue':'q','key':'k','facts':{'f':1}}",
            "{'type':'score','n':0,'queue':'q','owner':'o','facts':{'f':1}}",
            "{'type':'score','n':0,'queue':'q','owner':'o','facts':{'f':null}}",
            "{'type':'pop','n':0,'queue':'q','wait_ms':0}",
            "{'type':'done','n':0,'token':'t','end':'finished','result':{}}",
            "{'type':'done','n':0,'token':'t','end':'finished','fresh_s':1,'stale_s':1,'digest':'d','next':0}",
            "{'type':'done','n':0,'token':'t','end':'failed','error':'e','retry':true}",
            "{'type':'done','n':0,'token':'t','end':'released'}",
            "{'type':'done','n':0,'token':'t','end':'released','unseen':true}",
            "{'type':'extend','n':0,'token':'t','lease_s':1}",
            "{'type':'hold','n':0,'token':'t','group':'g','hold_s':1}",
            "{'type':'show','n':0,'queue':'q','key':'k','wait_ms':0}",
            "{'type':'peek','n':0,'queue':'q','most':1,'state':'dead'}",
            "{'type':'peek','n':0,'queue':'q','most':1,'owner':'o','kinds':['dns','scan-*','*']}",
            "{'type':'remove','n':0,'queue':'q','key':'k'}",
            "{'type':'redrive','n':0,'queue':'q','most':1}",
            "{'type':'configure','n':0,'queue':'q','settings':{'lease_s':1,'back_off_s':0}}",
            """
            {'type':'configure','n':0,'queue':'q','settings':{'max_resting':1,'grace_s':1,'fresh_s':1,'stale_s':1,'recheck_s':1,'refresh':'asked',
             'rank':{'ranker':'weighted','weights':{'f':1}}}}""",
            "{'type':'queue','n':0,'queue':'q','action':'purge'}",
            "{'type':'owner','n':0,'queue':'q','owner':'o','weight':1,'max_items':1}",
            "{'type':'limit','n':0,'group':'g','max_in_flight':1,'max_starts':1,'window_s':1}",
            "{'type':'overview','n':0,'queue':'q'}",
            "{'type':'owners','n':0,'queue':'q'}",
            "{'type':'groups','n':0}");

    private static final List<String> ANSWERS = List.of(
            "{'n':0,'status':'refused','field':'f','reason':'r'}",
            "{'n':0,'status':'ok','count':1}",
            "{'n':0,'status':'ok','lease_s':1}",
            "{'n':0,'status':'old','answer':{'result':{},'age_ms':1,'fresh_ms':0,'stale_ms':1}}",
            "{'n':0,'status':'pending'}",
            "{'n':0,'status':'failed','reason':'r'}",
            """
            {'n':0,'status':'ok','shown':[{'key':'k','kind':'default','owner':'o','priority':1,'state':'resting','failures':0,'created_at':0,
             'again':{'after_s':60}}]}""",
            """
            {'n':0,'status':'ok','shown':[{'key':'k','kind':'default','owner':'o','priority':1,'state':'resting','failures':0,'created_at':0,
             'again':{'after_s':60,'min_s':30,'max_s':90,'jitter_s':5}}]}""",
            """
            {'n':0,'status':'ok','shown':[{'key':'k','kind':'default','owner':'o','priority':1,'state':'resting','failures':0,'created_at':0,
             'not_before':0,'again':{'every_s':1},'answer':{'result':1,'age_ms':1,'fresh_ms':1,'stale_ms':1}}]}""",
            """
            {'n':0,'status':'ok','items':[{'key':'k','kind':'default','owner':'o','priority':1,'payload':null,'groups':['g'],'attempt':1,
             'token':'t','lease_s':1}]}""",
            """
            {'n':0,'status':'ok','shown':[{'key':'k','kind':'default','owner':'o','priority':1,'payload':1,'groups':['g'],'state':'waiting',
             'failures':1,'error':'e','created_at':0,'not_before':0,'expires_at':0,'position':0,'why':'w','result':[]}]}""",
            """
            {'n':0,'status':'ok','queues':[{'queue':'q','settings':{'lease_s':1,'back_off_s':0},'paused':false,'waiting':1,'later':1,'leased':1,
             'dead':1,'bytes':1,'owners':1,'pushed':1,'popped':1,'finished':1,'failed':1,'lost':1,'died':1,'dead_dropped':1,
             'resting':1,'hits':1,'oldest_s':1}]}""",
            "{'n':0,'status':'ok','count':1,'owners':[{'owner':'o','weight':1,'max_items':1,'items':1}]}",
            """
            {'n':0,'status':'ok','count':1,'groups':[{'group':'g','max_in_flight':1,'max_starts':1,'window_s':1,'in_flight':1,'starts':1,
             'waiting':1,'held_until':1}]}""");

    private QueueExamples() {}

    static List<Examples> all() {
        List<Examples> all = new ArrayList<>();
        for (String entry : ENTRIES) {
            all.add(Fields.example(
                    "queue-request", json("{'type':'request','gateway':'g','entries':[" + entry + "]}")));
        }
        for (String answer : ANSWERS) {
            all.add(Fields.example("queue-answers", json("{'answers':[" + answer + "]}")));
        }
        return all;
    }

    private static String json(String readable) {
        return readable.replace('\'', '"');
    }
}
