package io.chimera.bench.peers.kafka;

import io.chimera.bench.peers.job.EngineProcess;
import io.chimera.bench.peers.job.Job;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/**
 * The job in Kafka Streams: a processor per partition, with aggregation into separate windows. The producer has
 * partitioned the points by key, so no point passes the broker a second time.
 */
public final class KafkaPeer implements EngineProcess {
    static final String TOPIC = "points";
    static final String BROKER = System.getProperty("kafka.broker", "");

    private static final Semaphore PARTITIONS_DONE = new Semaphore(0);

    private KafkaStreams streams;

    private KafkaPeer() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        EngineProcess.main(new KafkaPeer());
    }

    /** Called by the task of a partition at the end of a pass. */
    static void partitionIsDone() {
        PARTITIONS_DONE.release();
    }

    @Override
    public void open() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", BROKER))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, Job.PARALLELISM, (short) 1)))
                    .all()
                    .get();
        }
        Topology topology = new Topology();
        topology.addSource("points", new ByteArrayDeserializer(), new ByteArrayDeserializer(), TOPIC);
        topology.addProcessor("fold", FoldProcessor::new, "points");
        streams = new KafkaStreams(topology, settings());
        CountDownLatch running = new CountDownLatch(1);
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.RUNNING) {
                running.countDown();
            }
        });
        streams.start();
        running.await();
    }

    private static Properties settings() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "job");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, BROKER);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, System.getProperty("kafka.state"));
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, Job.PARALLELISM);
        settings.put(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "INFO");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 256 << 10);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
        settings.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, 1 << 20);
        settings.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 20_000);
        return settings;
    }

    @Override
    public void pass() throws InterruptedException {
        PARTITIONS_DONE.acquire(Job.PARALLELISM);
    }

    @Override
    public void close() {
        streams.close();
    }
}
