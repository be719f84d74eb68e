;;; Drives Emacs with the settings of rust/docs/editors.md in a copy of the project beside this file, and says what it sees. -*- lexical-binding: t -*-
;; Called by scripts/test/servers/editors.sh in the project's folder, with the settings loaded.

(require 'eglot)
(require 'cl-lib)

(defvar passed 0)
(defvar failed 0)

(defun check (name is-right seen)
  (if is-right
      (progn (cl-incf passed) (princ (format "ok: %s\n" name)))
    (cl-incf failed)
    (princ (format "FAIL: %s: %S\n" name seen))))

(defun wait-until (is-there)
  "Whether IS-THERE becomes true in time."
  (let ((end (+ (float-time) 20)) (seen nil))
    (while (and (not (setq seen (funcall is-there))) (< (float-time) end))
      (accept-process-output nil 0.1))
    seen))

(defun content (file)
  (with-temp-buffer (insert-file-contents file) (buffer-string)))

(defun problems ()
  (mapconcat #'flymake-diagnostic-text (flymake-diagnostics) "\n"))

(defun go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun session ()
  (find-file "level.tscn")
  (check "a scene has its mode" (eq major-mode 'godot-scene-mode) major-mode)
  (check "the mode comments with `;'" (string-prefix-p ";" comment-start) comment-start)
  ;; What Emacs does after a command; there is none in a batch.
  (run-hooks 'post-command-hook)
  (check "the server is attached" (wait-until #'eglot-managed-p) nil)
  (check "the root is the folder of the project"
         (file-equal-p (project-root (eglot--project (eglot-current-server))) default-directory)
         (eglot--project (eglot-current-server)))
  (flymake-start)
  (check "problems are shown"
         (wait-until (lambda () (and (string-search "Sprit2D" (problems)) (string-search "already connected" (problems)))))
         (problems))

  (go-to "Sprit2D")
  (let* ((actions (eglot-code-actions (point) (point) "quickfix"))
         (fix (cl-find-if (lambda (action) (string-search "Sprite2D" (plist-get action :title))) actions)))
    (check "a fix is offered" fix actions)
    (eglot-execute (eglot-current-server) fix)
    (check "a quick fix is applied" (string-search "name=\"Hat\" type=\"Sprite2D\"" (buffer-string)) (buffer-string)))

  ;; Nobody is there to answer.
  (setq eglot-confirm-server-edits nil)
  (go-to "Player")
  (eglot-rename "Hero")
  (check "a node is renamed" (not (string-search "\"Player\"" (buffer-string))) (buffer-string))
  (save-some-buffers t)
  (check "scripts follow" (string-search "$Hero/Shape" (content "level.gd")) (content "level.gd"))
  (let ((saved (content "level.tscn")))
    (check "the text is formatted on save" (string-search "position = Vector2(1, 2)" saved) saved)
    (check "all safe fixes are applied on save" (= (length (split-string saved "\\[connection")) 2) saved))
  (let ((outline (format "%S" (funcall imenu-create-index-function))))
    (check "the outline has the nodes" (string-search "Hero" outline) outline))
  (find-file "project.godot")
  (check "project.godot has the mode" (eq major-mode 'godot-scene-mode) major-mode))

(condition-case problem
    (session)
  (error (check "the session runs to its end" nil problem)))
(princ (format "%d passed, %d failed\n" passed failed))
(kill-emacs 0)
