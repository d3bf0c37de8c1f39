package dev.weir.connectors.dsm;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Parses one answer to "the files from offset on, at most limit", and finds out which of two things it is.
 *
 * <p>A page has at most {@code min(limit, total - offset)} entries. More entries than that mean that DSM ignores paging; then
 * the answer must be the whole dataset, as many entries as its total says, and the page is cut from it. The limit'th plus one
 * entry decides it, so that no more than one page is ever held in memory: a longer dataset goes to a {@link Spool}. Logs
 * may only be in a whole dataset (a DSM that ignores paging ignores {@code type} as well) and are left out.
 */
final class DatasetAnswer {

    private static final ObjectReader ENTRY =
            Json.mapper().readerFor(FileInfo.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final String datasetUid;
    private final long offset;
    private final int limit;
    private final DsmReaderOptions options;
    private final Spools spools;

    private final List<FileInfo> files = new ArrayList<>();
    private final CompletableFuture<Spool> claimed = new CompletableFuture<>();
    private boolean isMine;
    private CompletableFuture<Spool> other;
    private SpoolWriter spool;
    private Long total;
    private boolean dataSeen;
    private long entries;
    private long logs;

    DatasetAnswer(String datasetUid, long offset, int limit, DsmReaderOptions options, Spools spools) {
        this.datasetUid = datasetUid;
        this.offset = offset;
        this.limit = limit;
        this.options = options;
        this.spools = spools;
    }

    /** The page; complete, unless another request is reading the same dataset whole. */
    CompletableFuture<DatasetPage> read(BoundedBody body) throws IOException {
        try (JsonParser json = Json.mapper().getFactory().createParser(body)) {
            readObject(json, body);
            if (other != null) {
                return other.thenApply(
                        complete -> complete.page(offset, limit, options.sizes().maxPage()));
            }
            return CompletableFuture.completedFuture(page());
        } catch (JsonEOFException e) {
            // An end in the middle is what a server leaves that fails while it writes.
            Transient brokenOff = new Transient("the answer broke off after " + body.bytes() + " bytes", e);
            giveUpClaim(brokenOff);
            throw brokenOff;
        } catch (IOException | RuntimeException e) {
            giveUpClaim(e);
            throw e;
        } catch (Error e) {
            giveUpClaim(new Transient("another request for it failed itself: " + e, e));
            throw e;
        } finally {
            if (spool != null) {
                spool.close();
            }
        }
    }

    /** Whatever went wrong: those that wait for the claim would wait for ever. */
    private void giveUpClaim(Throwable why) {
        if (isMine) {
            spools.failed(datasetUid, claimed, why);
        }
    }

    private void readObject(JsonParser json, BoundedBody body) throws IOException {
        if (json.nextToken() != JsonToken.START_OBJECT) {
            throw new Transient("its answer is not a JSON object");
        }
        while (other == null && json.nextToken() != JsonToken.END_OBJECT) {
            String field = json.currentName();
            JsonToken value = json.nextToken();
            if (field.equals("total")) {
                if (value != JsonToken.VALUE_NUMBER_INT || json.getLongValue() < 0) {
                    throw new InvalidMessage("total", "total must be a whole number from 0, got " + json.getText());
                }
                total = json.getLongValue();
            } else if (field.equals("data")) {
                readData(json, value, body);
            } else {
                json.skipChildren();
            }
        }
        if (other == null && json.nextToken() != null) {
            throw new InvalidMessage(null, "something follows the JSON object");
        }
    }

    private void readData(JsonParser json, JsonToken begin, BoundedBody body) throws IOException {
        if (begin != JsonToken.START_ARRAY) {
            throw new InvalidMessage("data", "data must be an array");
        }
        dataSeen = true;
        while (other == null && json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw new InvalidMessage("data[" + entries + "]", "entry " + entries + " is not a JSON object");
            }
            FileInfo entry;
            try {
                entry = ENTRY.readValue(json);
            } catch (JsonMappingException e) {
                throw located(e);
            }
            body.entryEnded();
            take(entry, body);
        }
    }

    /** Says which entry is at fault; a body that ended or grew too large inside an entry stays what it is. */
    private IOException located(JsonMappingException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof Transient || cause instanceof BoundedBody.TooLarge) {
                return (IOException) cause;
            }
            if (cause instanceof JsonEOFException end) {
                return end;
            }
            if (cause instanceof InvalidMessage own) {
                throw new InvalidMessage(own.field(), "entry " + entries + ": " + own.getMessage(), own);
            }
        }
        throw new InvalidMessage(null, "entry " + entries + ": " + e.getOriginalMessage(), e);
    }

    private void take(FileInfo entry, BoundedBody body) throws IOException {
        entries++;
        if (spool == null && entries > limit) {
            other = spools.claim(datasetUid, claimed);
            if (other != null) {
                return;
            }
            isMine = true;
            beginSpool();
        }
        if (spool == null && body.bytes() > options.sizes().maxPage()) {
            throw new BoundedBody.TooLarge(
                    "the page has more than " + options.sizes().maxPage() + " bytes");
        }
        if ("log".equals(entry.type())) {
            logs++;
        } else if (spool == null) {
            files.add(entry);
        } else {
            spool.add(entry);
        }
    }

    private void beginSpool() throws IOException {
        spool = new SpoolWriter(options.spool().directory(), spools);
        for (FileInfo file : files) {
            spool.add(file);
        }
        files.clear();
    }

    private DatasetPage page() throws IOException {
        if (total == null) {
            throw new Transient("its answer has no total");
        }
        if (!dataSeen) {
            throw new Transient("its answer has no data");
        }
        boolean whole = spool != null || offset == 0 && entries == total || entries > Math.max(0, total - offset);
        if (whole && entries != total) {
            throw new InvalidMessage(
                    "total",
                    "asked for " + limit + " files from " + offset + " on, it gave " + entries
                            + " and says that there are " + total + "; that is neither the page nor the whole dataset");
        }
        if (!whole && logs > 0) {
            throw new InvalidMessage("type", "a page of files holds " + logs + " logs");
        }
        if (spool != null) {
            Spool complete = spool.finish();
            spools.finished(claimed, complete);
            return complete.page(offset, limit, options.sizes().maxPage());
        }
        if (!whole) {
            return new DatasetPage(total, files);
        }
        int from = (int) Math.min(offset, files.size());
        return new DatasetPage((long) files.size(), files.subList(from, Math.min(files.size(), from + limit)));
    }
}
