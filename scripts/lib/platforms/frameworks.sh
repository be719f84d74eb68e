# shellcheck shell=bash
# What stands for the frameworks of macOS when a program is linked on another system: Apple's own come with Xcode only. A stub names
# the library and what of it is called; the real ones are found by macOS when the program starts. Sourced.

# What the crate notify calls.
readonly CORE_SERVICES="FSEventStreamCreate FSEventStreamInvalidate FSEventStreamRelease FSEventStreamScheduleWithRunLoop
    FSEventStreamStart FSEventStreamStop FSEventsGetCurrentEventId"
readonly CORE_FOUNDATION="CFArrayAppendValue CFArrayCreateMutable CFArrayGetCount CFArrayGetValueAtIndex CFArrayInsertValueAtIndex
    CFArrayRemoveValueAtIndex CFRelease CFRetain CFRunLoopGetCurrent CFRunLoopIsWaiting CFRunLoopRun CFRunLoopStop CFStringCompare
    CFStringGetCStringPtr CFStringGetLength CFURLCopyAbsoluteURL CFURLCopyFileSystemPath CFURLCopyLastPathComponent
    CFURLCreateCopyAppendingPathComponent CFURLCreateCopyDeletingLastPathComponent CFURLCreateFilePathURL
    CFURLCreateFileReferenceURL CFURLCreateFromFileSystemRepresentation CFURLGetFileSystemRepresentation
    CFURLResourceIsReachable kCFAllocatorDefault kCFRunLoopDefaultMode kCFTypeArrayCallBacks"

# write_frameworks FOLDER
write_frameworks() {
    write_framework "$1" CoreServices "$CORE_SERVICES"
    write_framework "$1" CoreFoundation "$CORE_FOUNDATION"
}

# write_framework FOLDER NAME FUNCTIONS
write_framework() {
    local folder=$1/$2.framework symbols name
    symbols=$(for name in $3; do printf ', _%s' "$name"; done)
    mkdir -p "$folder"
    cat >"$folder/$2.tbd" <<END
--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/System/Library/Frameworks/$2.framework/Versions/A/$2'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ ${symbols#, } ]
...
END
}
