# Completes command lines of `wave` in fish. `wave complete` knows what may come; this script asks it.

function __wave_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l answer ($words[1] complete --time-limit 2s -- $words[2..-1] 2>/dev/null)
    test (count $answer) -gt 0; or return
    test (count $answer) -gt 1; and printf '%s\n' $answer[2..-1]
    set -l current (commandline -ct)
    switch $answer[1]
        case models
            __fish_complete_suffix $current .wave
        case files
            __fish_complete_path $current
        case folders
            __fish_complete_directories $current
    end
end
complete -c wave -f -a '(__wave_complete)'
