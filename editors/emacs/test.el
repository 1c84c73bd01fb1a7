;;; test.el --- Run by `test' in this folder, in Emacs without a window  -*- lexical-binding: t -*-

(require 'kitsoki)
(require 'yaml-mode)
(require 'flymake)

(setq kitsoki-command (list (getenv "KITSOKI") "lsp")
      eglot-sync-connect 20
      flymake-start-on-flymake-mode t
      create-lockfiles nil
      make-backup-files nil)
(add-hook 'yaml-mode-hook #'kitsoki-maybe)

(defun test-check (condition what)
  "Fail with WHAT unless CONDITION."
  (unless condition (error "%s" what)))

(defun test-wait (what condition)
  "Let processes speak until CONDITION gives something; fail with WHAT when it never does."
  (with-timeout (20 (error "never seen: %s" what))
    (let (found)
      (while (not (setq found (funcall condition)))
        (accept-process-output nil 0.05))
      found)))

(defun test-manifest-p (&rest lines)
  "Whether LINES are a manifest."
  (with-temp-buffer
    (insert (string-join lines "\n"))
    (kitsoki-manifest-p)))

(test-check (test-manifest-p "app: { id: a }" "root: x") "a manifest is not known")
(test-check (test-manifest-p "app:" "  # the id" "  id: a" "states: {}") "a manifest with lines is not known")
(test-check (not (test-manifest-p "runtime: python39" "root: x")) "a file of another tool is taken for a manifest")
(test-check (not (test-manifest-p "app: ../app.yaml" "test_kind: flow" "root: x")) "a flow is taken for a manifest")

(with-current-buffer (find-file-noselect (expand-file-name "app.yaml" (getenv "OTHER")))
  (run-hooks 'post-command-hook)
  (test-check (not (eglot-current-server)) "a server was started for another tool's app.yaml"))

(with-current-buffer (find-file-noselect (expand-file-name "rooms/foyer.yaml" (getenv "STORY")))
  ;; What Emacs does after the command that visits the file.
  (run-hooks 'post-command-hook)
  (test-wait "a server" #'eglot-current-server)
  (let ((whole (buffer-string)) start)
    (goto-char (point-min))
    (test-check (search-forward "target: cloakroom" nil t) "the shipped story has changed: no arc leads to the cloakroom")
    (setq start (- (point) (length "cloakroom")))
    (delete-region start (point))
    (insert "claokroom")
    (eglot--signal-textDocument/didChange)
    (flymake-start)
    (test-wait "the finding"
               (lambda ()
                 (cl-find-if (lambda (finding) (string-match-p "claokroom" (flymake-diagnostic-text finding)))
                             (flymake-diagnostics))))
    (let* ((actions (eglot-code-actions start (+ start (length "claokroom")) nil nil))
           (fix (cl-find-if (lambda (action) (and (plist-get action :edit) (string-match-p "cloakroom" (format "%S" action)))) actions)))
      (test-check fix (format "no fix for the target: %S" actions))
      (eglot--apply-workspace-edit (plist-get fix :edit))
      (test-check (string= whole (buffer-string)) "the fix did not bring the room back")))
  (set-buffer-modified-p nil))

(with-current-buffer (find-file-noselect (expand-file-name "flows/closed_doors.yaml" (getenv "STORY")))
  (let ((said (shell-command-to-string (kitsoki--flow-command))))
    (test-check (string-match-p "1/1 flows pass" said) said)))

(message "emacs: finding, fix, activation, flow: as they should be")
(kill-emacs 0)
;;; test.el ends here
