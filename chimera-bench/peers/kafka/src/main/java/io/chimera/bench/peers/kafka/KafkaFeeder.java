package io.chimera.bench.peers.kafka;

import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import io.chimera.bench.peers.job.PointInput;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Produces a record per point to the partition of the series: the producer knows the series, so records need
 * no key. Ends each pass with an empty record per partition.
 */
public final class KafkaFeeder implements EngineProcess {
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private KafkaProducer<byte[], byte[]> producer;
    private PointInput input;

    private KafkaFeeder() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new KafkaFeeder());
    }

    @Override
    public void open() throws IOException {
        input = PointInput.open(Job.INPUT, Job.LINE_LENGTH);
        producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, KafkaPeer.BROKER,
                        ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10,
                        ProducerConfig.LINGER_MS_CONFIG, 20,
                        ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20,
                        ProducerConfig.SEND_BUFFER_CONFIG, 1 << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.partitionsFor(KafkaPeer.TOPIC);
    }

    @Override
    public void pass() throws Exception {
        byte[] line = new byte[input.lineLength()];
        for (int i = 0; i < input.points(); i++) {
            input.copy(i, 1, line);
            send(partition(line), line.clone());
        }
        for (int partition = 0; partition < Job.PARALLELISM; partition++) {
            send(partition, new byte[0]);
        }
        producer.flush();
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    /** Returns the partition by the sent bytes of metric and tags: the bytes of a series are always the same. */
    private static int partition(byte[] line) {
        int hash = 1;
        for (int i = 0; line[i] != ' '; i++) {
            hash = 31 * hash + line[i];
        }
        return Math.floorMod(hash, Job.PARALLELISM);
    }

    private void send(int partition, byte[] value) {
        producer.send(new ProducerRecord<>(KafkaPeer.TOPIC, partition, null, value), (sent, problem) -> {
            if (problem != null) {
                failure.set(problem);
            }
        });
    }

    @Override
    public void close() {
        producer.close();
    }
}
