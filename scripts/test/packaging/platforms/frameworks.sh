# shellcheck shell=bash
# Stubs for the frameworks and libraries of macOS, to link a program on another system: Apple's own come with Xcode only. A stub
# names the library and its called functions. macOS finds the real ones when the program starts. Sourced.

# Functions that the crate notify calls.
readonly CORE_SERVICES="FSEventStreamCreate FSEventStreamGetDeviceBeingWatched FSEventStreamInvalidate FSEventStreamRelease
    FSEventStreamScheduleWithRunLoop FSEventStreamStart FSEventStreamStop FSEventsGetCurrentEventId
    FSEventsPurgeEventsForDeviceUpToEventId"
readonly CORE_FOUNDATION="CFArrayAppendValue CFArrayCreateMutable CFArrayGetCount CFArrayGetValueAtIndex CFArrayInsertValueAtIndex
    CFArrayRemoveValueAtIndex CFRelease CFRetain CFRunLoopGetCurrent CFRunLoopIsWaiting CFRunLoopRun CFRunLoopStop CFStringCompare
    CFStringGetCStringPtr CFStringGetLength CFURLCopyAbsoluteURL CFURLCopyFileSystemPath CFURLCopyLastPathComponent
    CFURLCreateCopyAppendingPathComponent CFURLCreateCopyDeletingLastPathComponent CFURLCreateFilePathURL
    CFURLCreateFileReferenceURL CFURLCreateFromFileSystemRepresentation CFURLGetFileSystemRepresentation
    CFURLResourceIsReachable kCFAllocatorDefault kCFRunLoopDefaultMode kCFTypeArrayCallBacks"
# Functions that the crate objc2 calls, which the crate ctrlc needs.
readonly OBJECTIVE_C="class_addIvar class_addMethod class_copyIvarList class_copyMethodList class_copyProtocolList
    class_getClassMethod class_getInstanceMethod class_getInstanceVariable class_getName class_getSuperclass class_isMetaClass
    class_respondsToSelector ivar_getName ivar_getOffset ivar_getTypeEncoding method_copyArgumentType method_copyReturnType
    method_getImplementation method_getName method_getTypeEncoding method_setImplementation objc_autoreleasePoolPop
    objc_autoreleasePoolPush objc_copyClassList objc_copyProtocolList objc_getClass objc_getProtocol objc_msgSend
    objc_registerProtocol objc_release objc_retain objc_retainAutoreleasedReturnValue object_getClass
    protocol_addMethodDescription protocol_addProtocol protocol_copyMethodDescriptionList protocol_copyProtocolList
    protocol_getName sel_getName sel_registerName"

# write_frameworks FOLDER
write_frameworks() {
    write_framework "$1" CoreServices "$CORE_SERVICES"
    write_framework "$1" CoreFoundation "$CORE_FOUNDATION"
    # Asked for, and not called.
    write_framework "$1" Foundation ""
    write_stub "$1/libobjc.tbd" /usr/lib/libobjc.A.dylib "$OBJECTIVE_C"
}

# write_framework FOLDER NAME FUNCTIONS
write_framework() {
    mkdir -p "$1/$2.framework"
    write_stub "$1/$2.framework/$2.tbd" "/System/Library/Frameworks/$2.framework/Versions/A/$2" "$3"
}

# write_stub FILE LIBRARY FUNCTIONS
write_stub() {
    local symbols name
    symbols=$(for name in $3; do printf ', _%s' "$name"; done)
    cat >"$1" <<END
--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '$2'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ ${symbols#, } ]
...
END
}
