/** The command {@code chimera bench trending}: hashtags of tweets, compared with Storm and a plain loop. */
package io.chimera.bench.trending;
