/* Starter bot for duoforge in C, without libraries.
 *
 *     cc -O2 -o bot examples/bots/bot.c && duoforge match bot:./bot pattern
 *
 * It places the largest tile that fits, as near to the centre as possible. Put your own ideas into
 * value(). docs/bots.md describes the protocol. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of cells of a tile: a has 1, b has 2, c and d have 3, e to i have 4, j to u have 5. */
static int tile_size(char letter)
{
    return 1 + (letter >= 'b') + (letter >= 'c') + (letter >= 'e') + (letter >= 'j');
}

/* Coordinate from 0 of a column or row: 1 to 9, then a to k. */
static int coordinate(char letter)
{
    return letter <= '9' ? letter - '1' : letter - 'a' + 9;
}

/* Value of a code (column, row, tile, rotation, or 0000 for a pass) on a board of size x size. */
static int value(const char *code, int size)
{
    if (strncmp(code, "0000", 4) == 0)
        return -1000;
    return 100 * tile_size(code[2]) - abs(2 * coordinate(code[0]) - (size - 1))
         - abs(2 * coordinate(code[1]) - (size - 1));
}

/* Writes the best of the legal codes of a state, which is JSON without blanks. */
static void choose(const char *state, char best[5])
{
    const char *row = strstr(state, "\"board\":[\"");
    const char *codes = strstr(state, "\"codes\":[");
    int size, best_value = -2000;

    strcpy(best, "0000");
    if (!row || !codes)
        return;
    size = (int)strcspn(row + strlen("\"board\":[\""), "\"");
    for (const char *code = codes + strlen("\"codes\":["); *code == '"' || *code == ','; code++) {
        if (*code == '"') {
            if (value(code + 1, size) > best_value) {
                best_value = value(code + 1, size);
                memcpy(best, code + 1, 4);
            }
            code += 5; /* the code and its second quotation mark */
        }
    }
}

int main(void)
{
    char *line = NULL, *state = NULL, best[5];
    size_t capacity = 0;

    while (getline(&line, &capacity, stdin) > 0) {
        if (strncmp(line, "action warmup", 13) == 0) {
            /* The state lists the legal moves, so a bot need not know the rules. */
            printf("settings state json\nready\n");
        } else if (strncmp(line, "update game state ", 18) == 0) {
            free(state);
            state = strdup(line + 18);
        } else if (strncmp(line, "action move", 11) == 0) {
            choose(state ? state : "", best);
            /* Standard error is the log. Text behind a move is kept with it. */
            fprintf(stderr, "%s", line + 7);
            printf("%s largest tile first\n", best);
        } else if (strncmp(line, "quit", 4) == 0) {
            break;
        }
        fflush(stdout);
    }
    free(state);
    free(line);
    return 0;
}
