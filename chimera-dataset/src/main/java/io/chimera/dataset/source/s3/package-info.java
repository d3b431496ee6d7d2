/** Data sets in buckets of the S3 protocol. */
@NullMarked
package io.chimera.dataset.source.s3;

import org.jspecify.annotations.NullMarked;
