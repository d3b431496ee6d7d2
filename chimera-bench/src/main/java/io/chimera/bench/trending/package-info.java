/** The command {@code chimera bench trending}: hashtags of tweets, beside Storm and a plain loop. */
package io.chimera.bench.trending;
