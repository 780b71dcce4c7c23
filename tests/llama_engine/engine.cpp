// The grammar engine of llama.cpp as a small library, without the models: compiled with `llama-grammar.cpp` alone.
// What the engine asks of a vocabulary is never reached, since texts are fed as characters.

#include "llama-grammar.h"
#include "llama-vocab.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

struct llama_vocab::impl {};
llama_vocab::llama_vocab() = default;
llama_vocab::~llama_vocab() = default;
const std::string & llama_vocab::token_to_piece(llama_token) const { std::abort(); }
bool llama_vocab::is_eog(llama_token) const { std::abort(); }
int32_t llama_vocab::tokenize(const char *, int32_t, llama_token *, int32_t, bool, bool) const { std::abort(); }

void llama_log_internal(ggml_log_level, const char *, ...) {}
extern "C" void ggml_abort(const char *, int, const char *, ...) { std::abort(); }

extern "C" {

// A grammar, or null where the engine refuses it.
void * engine_open(const char * text) {
    return llama_grammar_init_impl(nullptr, text, "root", false, nullptr, 0, nullptr, 0);
}

void engine_close(void * opened) { llama_grammar_free_impl(static_cast<llama_grammar *>(opened)); }

// 0: the text is refused; 1: it is the beginning of a longer one; 2: it is complete.
int engine_read(void * opened, const char * text, size_t length) {
    auto & grammar = *static_cast<llama_grammar *>(opened);
    const auto begun = llama_grammar_get_stacks(&grammar);
    int answer = 1;
    try {
        llama_grammar_accept_str(grammar, std::string(text, length));
        for (const auto & stack : llama_grammar_get_stacks(&grammar)) {
            if (stack.empty()) answer = 2;
        }
    } catch (const std::runtime_error &) {
        answer = 0;
    }
    llama_grammar_get_stacks(&grammar) = begun;
    grammar.partial_utf8 = {};
    return answer;
}

}
