//! Runs steps beside each other.

use std::{
    collections::HashSet,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crate::{
    counts::Counts,
    plan::Plan,
    report,
    run::{Context, Outcome},
    steps::{Step, Uses},
};

/// After so long without a line, the steps that run are named.
const SILENCE: Duration = Duration::from_secs(60);

/// What the workers share.
struct State {
    waiting: Vec<&'static Step>,
    running: Vec<&'static Step>,
    passed: HashSet<&'static str>,
    outcomes: Vec<Outcome>,
    last_line: Instant,
}

/// Runs all steps of a plan, `jobs` at a time. Each starts when those that it needs have passed; if one of them fails, it is not run
/// and counts as failed.
pub(crate) fn run(plan: &Plan, context: &Context, jobs: usize) -> Vec<Outcome> {
    let state = Mutex::new(State {
        waiting: plan.steps.clone(),
        running: Vec::new(),
        passed: HashSet::new(),
        outcomes: Vec::new(),
        last_line: Instant::now(),
    });
    let changed = Condvar::new();
    let total = plan.steps.len();
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| work(&state, &changed, context, total));
        }
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner).outcomes
}

fn work(state: &Mutex<State>, changed: &Condvar, context: &Context, total: usize) {
    let mut guard = lock(state);
    while !guard.waiting.is_empty() {
        let Some(step) = guard.take_next(context, total) else {
            guard = changed.wait_timeout(guard, SILENCE).unwrap_or_else(PoisonError::into_inner).0;
            guard.name_what_runs();
            continue;
        };
        drop(guard);
        let outcome = context.run(step);
        guard = lock(state);
        guard.running.retain(|running| running.name != step.name);
        guard.finish(outcome, total);
        changed.notify_all();
    }
    changed.notify_all();
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// The first step that can run now.
    fn take_next(&mut self, context: &Context, total: usize) -> Option<&'static Step> {
        self.give_up_steps(context, total);
        let place = self.waiting.iter().position(|step| self.is_ready(step))?;
        let step = self.waiting.remove(place);
        self.running.push(step);
        Some(step)
    }

    fn is_ready(&self, step: &Step) -> bool {
        // What a step needs and is not in the plan is not needed in this run.
        let is_in_use = self
            .running
            .iter()
            .any(|running| step.uses != Uses::Nothing && running.uses == step.uses);
        !is_in_use && step.needs.iter().all(|need| self.passed.contains(need))
    }

    /// Ends steps that need one which has failed.
    fn give_up_steps(&mut self, context: &Context, total: usize) {
        while let Some((place, need)) = self.waiting.iter().enumerate().find_map(|(place, step)| {
            let failed = self
                .outcomes
                .iter()
                .find(|outcome| !outcome.is_ok && step.needs.contains(&outcome.step.name))?;
            Some((place, failed.step.name))
        }) {
            let step = self.waiting.remove(place);
            let outcome = context.not_run(step, need);
            self.finish(outcome, total);
        }
    }

    fn finish(&mut self, outcome: Outcome, total: usize) {
        if outcome.is_ok {
            self.passed.insert(outcome.step.name);
        }
        report::line(self.outcomes.len() + 1, total, &outcome);
        self.last_line = Instant::now();
        self.outcomes.push(outcome);
    }

    fn name_what_runs(&mut self) {
        if self.last_line.elapsed() >= SILENCE && !self.running.is_empty() {
            let names: Vec<_> = self.running.iter().map(|step| step.name).collect();
            eprintln!("        running: {}", names.join(", "));
            self.last_line = Instant::now();
        }
    }
}

impl Context {
    /// What comes of a step whose need has failed.
    fn not_run(&self, step: &'static Step, need: &str) -> Outcome {
        let log = self
            .explain(step, &format!("error: {} was not run, because {need} failed\n", step.name));
        let counts = Counts { failed: 1, ..Counts::default() };
        Outcome { step, counts, is_ok: false, took: Duration::ZERO, log }
    }
}
