/* Assertions of a test program: the first failed expectation ends the program. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define EXPECT_NUMBER(actual, expected)                                                                                \
    do {                                                                                                               \
        long long actual_ = (long long)(actual);                                                                       \
        long long expected_ = (long long)(expected);                                                                   \
        if (actual_ != expected_) {                                                                                    \
            (void)fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #actual, actual_, expected_);   \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define EXPECT_CONTAINS(text, part)                                                                                    \
    do {                                                                                                               \
        if (strstr(text, part) == NULL) {                                                                              \
            (void)fprintf(stderr, "%s:%d: \"%s\" has no \"%s\"\n", __FILE__, __LINE__, text, part);                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
